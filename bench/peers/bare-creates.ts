// The least that creating clients one by one can do: it inserts rows into the table of clients with the same driver and the
// same durability as the service, each in a transaction of its own. Nothing is checked, counted or recorded.
import { Pool } from 'pg';
import { openWriter } from '../../packages/server/src/store/engines/sqlite/open-file.ts';
import { SELECT_WORKSPACE } from './client-record.ts';

const COLUMNS =
  'workspace_id, id, reference_id, email, email_folded, name, client_type, group_id, request_status, client_status, created_at';
/** As many connections as the service opens by default. */
const POOL_SIZE = 10;

const [databaseUrl = '', seconds = '2', seed = '1'] = process.argv.slice(2);
const firstId = Number(seed) * 10_000_000;
const start = performance.now();
const end = start + Number(seconds) * 1000;
const created = databaseUrl.startsWith('sqlite:')
  ? intoSqlite(databaseUrl.slice('sqlite:'.length))
  : await intoPostgres(databaseUrl);
process.send?.({ perSecond: created / ((performance.now() - start) / 1000) });
process.disconnect?.();

function intoSqlite(path: string): number {
  const database = openWriter(path);
  const workspaceId = Number(database.prepare(SELECT_WORKSPACE).get()?.id);
  const insert = database.prepare(`insert into clients (${COLUMNS}) values (${COLUMNS.replaceAll(/\w+/g, '?')})`);
  let created = 0;
  while (performance.now() < end) {
    database.exec('begin immediate');
    insert.run(...rowOf(workspaceId, created++));
    database.exec('commit');
  }
  database.close();
  return created;
}

async function intoPostgres(connectionString: string): Promise<number> {
  const pool = new Pool({ connectionString, max: POOL_SIZE });
  // The database may be removed before the last connection is closed.
  pool.on('error', () => {});
  const workspaceId = Number((await pool.query(SELECT_WORKSPACE)).rows[0]?.id);
  let place = 0;
  const text = `insert into clients (${COLUMNS}) values (${COLUMNS.replaceAll(/\w+/g, () => `$${++place}`)})`;
  let created = 0;
  const createUntilEnd = async () => {
    while (performance.now() < end) await pool.query({ name: 'create', text, values: rowOf(workspaceId, created++) });
  };
  await Promise.all(Array.from({ length: POOL_SIZE }, createUntilEnd));
  await pool.end();
  return created;
}

function rowOf(workspaceId: number, number: number): (string | number)[] {
  const id = firstId + number;
  const email = `c${id}@mail.example`;
  return [workspaceId, id, `${Date.now()}-${id}`, email, email, 'Ada Abebe', 1, 1, 1, 1, Date.now()];
}
