// Runs every migration by itself on a database of the oldest schema with many clients, and prints how long each one took.
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { type Kysely, sql } from 'kysely';
import { MIGRATION_NAMES } from '../packages/server/src/store/migrations/migrate.ts';
import { openStore } from '../packages/server/src/store/open-store.ts';
import { migrateToSchema, withSchema } from '../packages/server/src/testing/migrate-to-schema.ts';
import { addOldRows } from '../packages/server/src/testing/old-clients.ts';
import { PostgresServer } from '../packages/server/src/testing/postgres-server.ts';
import { databaseOn, onServer } from '../packages/server/src/testing/postgres-setup.ts';

const HELP = `Runs every migration by itself on a database of the oldest schema, and prints how long each one took.

Usage:
  npm run migrations:time -- [options]

Options:
  --clients N        the number of clients (default: 1000000)
  --engine ENGINE    sqlite or postgres (default: both, one after the other)
  --help             show this help
`;

interface Timing {
  seconds: number;
  megabytes: number;
  /** The tables that existed before and that the migration locked, with the strongest lock of each. Only on PostgreSQL. */
  locks: string[];
}

const { values } = parseArgs({
  options: {
    clients: { type: 'string', default: '1000000' },
    engine: { type: 'string' },
    help: { type: 'boolean', default: false },
  },
});
const clients = Number(values.clients);
const { engine } = values;
if (values.help) process.stdout.write(HELP);
else if (!Number.isInteger(clients) || clients < 1 || !['sqlite', 'postgres', undefined].includes(engine)) {
  process.stderr.write(HELP);
  process.exitCode = 2;
} else {
  if (engine !== 'postgres') await timeOnSqlite();
  if (engine !== 'sqlite') await timeOnPostgres();
}

async function timeOnSqlite(): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), 'rollcall-migrations-'));
  try {
    await timeMigrations(`sqlite:${join(folder, 'rollcall.db')}`);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

async function timeOnPostgres(): Promise<void> {
  const server = await PostgresServer.start();
  try {
    await onServer(server.url(), 'create database migrated');
    await timeMigrations(databaseOn(server.url(), 'migrated'));
  } finally {
    await server.stop();
  }
}

/** Prints a line of a table as soon as each migration has ended. */
async function timeMigrations(url: string): Promise<void> {
  process.stdout.write(
    `| ${clients} clients on ${engineOf(url)} | time | database | what has to wait |\n|---|---|---|---|\n`,
  );
  for (const name of MIGRATION_NAMES) {
    const schema = Number.parseInt(name, 10);
    const { seconds, megabytes, locks } = await timeMigration(url, schema);
    const cells = [name, `${seconds.toFixed(2)} s`, `${megabytes.toFixed(0)} MB`, locks.join(', ')];
    process.stdout.write(`| ${cells.join(' | ')} |\n`);
    await withSchema(url, (db) => addOldRows(db, schema, clients));
  }
  await requireConsistent(url);
}

async function timeMigration(url: string, schema: number): Promise<Timing> {
  const before = await withSchema(url, tablesOf);
  let locks: string[] = [];
  const startedAt = performance.now();
  await migrateToSchema(url, schema, async (db) => {
    if (engineOf(url) === 'PostgreSQL') locks = await locksOn(db, before);
  });
  const seconds = (performance.now() - startedAt) / 1000;
  return { seconds, megabytes: await withSchema(url, (db) => sizeOf(db, url)), locks };
}

function engineOf(url: string): 'SQLite' | 'PostgreSQL' {
  return url.startsWith('sqlite:') ? 'SQLite' : 'PostgreSQL';
}

async function tablesOf(db: Kysely<unknown>): Promise<string[]> {
  return (await db.introspection.getTables()).map(({ name }) => name);
}

/** Only locks that make other transactions wait: for their changes, or also for reading. */
async function locksOn(db: Kysely<unknown>, tables: readonly string[]): Promise<string[]> {
  const { rows } = await sql<{ table: string; reading: boolean }>`
    select relname as table, bool_or(mode = 'AccessExclusiveLock') as reading
    from pg_locks join pg_class on pg_class.oid = relation
    where pid = pg_backend_pid() and relkind = 'r' and mode in
      ('ShareLock', 'ShareRowExclusiveLock', 'ExclusiveLock', 'AccessExclusiveLock')
    group by relname order by relname`.execute(db);
  return rows
    .filter(({ table }) => tables.includes(table))
    .map(({ table, reading }) => `${table} (${reading ? 'all' : 'changes'})`);
}

async function sizeOf(db: Kysely<unknown>, url: string): Promise<number> {
  const { rows } = await (engineOf(url) === 'SQLite'
    ? sql<{ bytes: number }>`select page_count * page_size as bytes from pragma_page_count, pragma_page_size`
    : sql<{ bytes: number }>`select pg_database_size(current_database()) as bytes`
  ).execute(db);
  return Number(rows[0]?.bytes) / 2 ** 20;
}

/** A migration that is fast but wrong would be worth nothing. */
async function requireConsistent(url: string): Promise<void> {
  const store = openStore(url);
  try {
    await store.migrate();
    const { problems, checked } = await store.checkConsistency();
    if (problems.length > 0) throw new Error(`${engineOf(url)} is inconsistent: ${problems.slice(0, 3).join('; ')}`);
    process.stdout.write(`\n${checked.clients} clients were checked: no problems.\n`);
  } finally {
    await store.close();
  }
}
