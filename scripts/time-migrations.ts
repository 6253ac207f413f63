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
  --clients N    the number of clients (default: 1000000)
  --help         show this help
`;

interface Timing {
  seconds: number;
  megabytes: number;
  /** The tables that existed before and that the migration locked, with the strongest lock of each. Only on PostgreSQL. */
  locks: string[];
}

const { values } = parseArgs({
  options: { clients: { type: 'string', default: '1000000' }, help: { type: 'boolean', default: false } },
});
const clients = Number(values.clients);
if (values.help) process.stdout.write(HELP);
else if (!Number.isInteger(clients) || clients < 1) {
  process.stderr.write(HELP);
  process.exitCode = 2;
} else await timeOnBothEngines();

async function timeOnBothEngines(): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), 'rollcall-migrations-'));
  const server = await PostgresServer.start();
  try {
    const sqlite = await timeMigrations(`sqlite:${join(folder, 'rollcall.db')}`);
    await onServer(server.url(), 'create database migrated');
    const postgres = await timeMigrations(databaseOn(server.url(), 'migrated'));
    process.stdout.write(table(sqlite, postgres));
  } finally {
    await server.stop();
    rmSync(folder, { recursive: true, force: true });
  }
}

async function timeMigrations(url: string): Promise<Timing[]> {
  const timings: Timing[] = [];
  for (const name of MIGRATION_NAMES) {
    const schema = Number.parseInt(name, 10);
    timings.push(await timeMigration(url, schema));
    process.stderr.write(`${name} on ${engineOf(url)}: ${timings.at(-1)?.seconds.toFixed(2)} s\n`);
    await withSchema(url, (db) => addOldRows(db, schema, clients));
  }
  await requireConsistent(url);
  return timings;
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
    process.stderr.write(`${engineOf(url)}: ${checked.clients} clients checked, no problems\n`);
  } finally {
    await store.close();
  }
}

function table(sqlite: readonly Timing[], postgres: readonly Timing[]): string {
  const header = [
    `| migration, ${clients} clients | SQLite | PostgreSQL | what has to wait on PostgreSQL |`,
    '|---|---|---|---|',
  ];
  const rows = MIGRATION_NAMES.map((name, index) => {
    const cells = [sqlite[index], postgres[index]].map(
      (timing) => timing && `${timing.seconds.toFixed(2)} s, ${timing.megabytes.toFixed(0)} MB`,
    );
    return `| ${[name, ...cells, postgres[index]?.locks.join(', ')].join(' | ')} |`;
  });
  return `${[...header, ...rows].join('\n')}\n`;
}
