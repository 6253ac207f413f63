import { DatabaseSync } from 'node:sqlite';
import { PRIMARY_KEYS } from '../store/tables.ts';
import { withServer } from './postgres-setup.ts';

type Rows = Record<string, unknown>[];
type Query = (statement: string) => Rows | Promise<Rows>;

/** Runs a statement on a database without the store, like an accident or another program would. */
export async function onDatabase(url: string, statement: string): Promise<Rows> {
  return withConnection(url, (query) => query(statement));
}

async function withConnection<T>(url: string, use: (query: Query) => T | Promise<T>): Promise<T> {
  if (!url.startsWith('sqlite:')) return withServer(url, use);
  const database = new DatabaseSync(url.slice('sqlite:'.length), { timeout: 5000 });
  try {
    return await use((statement) => database.prepare(statement).all());
  } finally {
    database.close();
  }
}

/** All rows of all tables, to check that nothing was changed. They are read on one connection, because opening one takes long. */
export async function allRowsIn(url: string): Promise<Record<string, unknown[]>> {
  const tables: Record<string, unknown[]> = {};
  await withConnection(url, async (query) => {
    for (const [table, key] of Object.entries(PRIMARY_KEYS)) {
      tables[table] = await query(`select * from ${table} order by ${key.join(', ')}`);
    }
  });
  return tables;
}

/** Makes all writes to the activity log fail. Returns the function that repairs it. */
export async function breakActivityLog(url: string): Promise<() => Promise<void>> {
  if (url.startsWith('sqlite:')) {
    await onDatabase(
      url,
      "create trigger broken before insert on activity_entries begin select raise(abort, 'the activity log is broken'); end",
    );
    return async () => void (await onDatabase(url, 'drop trigger broken'));
  }
  await onDatabase(
    url,
    `create function broken() returns trigger language plpgsql as $$ begin raise 'the activity log is broken'; end $$;
     create trigger broken before insert on activity_entries for each row execute function broken()`,
  );
  return async () => void (await onDatabase(url, 'drop function broken cascade'));
}
