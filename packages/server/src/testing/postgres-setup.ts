import { randomBytes } from 'node:crypto';
import { Client, Pool } from 'pg';
import type { TestProject } from 'vitest/node';
import { openStore } from '../store/open-store.ts';
import { PostgresServer } from './postgres-server.ts';

declare module 'vitest' {
  interface ProvidedContext {
    /** The engine of the stores in this run. */
    engine: 'sqlite' | 'postgres';
    /** The server on which every test store has its own database. */
    postgresUrl: string;
    /** A migrated, empty database on the server, which is copied for tests. */
    postgresTemplate: string;
  }
}

const SETTINGS = [
  // The data of these tests need not survive a crash of the machine.
  'fsync=off',
  'full_page_writes=off',
  'synchronous_commit=off',
  'wal_level=minimal',
  'max_wal_senders=0',
  // There are hundreds of small databases, and each would get a process of its own again and again.
  'autovacuum=off',
  // Compiling a statement takes longer than running it once.
  'jit=off',
];

/** Runs once per project: uses the server of `ROLLCALL_TEST_DATABASE_URL`, or starts a temporary one. */
export default async function setup(project: TestProject): Promise<() => Promise<void>> {
  const given = process.env.ROLLCALL_TEST_DATABASE_URL;
  const server = given ? undefined : await PostgresServer.start(SETTINGS);
  const url = given ?? server?.url() ?? '';
  // Unique, because other projects and runs may use the same server at the same time.
  const template = `rollcall_test_${randomBytes(6).toString('hex')}`;

  await onServer(url, `create database ${template}`);
  const store = openStore(databaseOn(url, template));
  await store.migrate();
  await store.close();
  project.provide('postgresUrl', url);
  project.provide('postgresTemplate', template);

  return async () => {
    if (server) await server.stop();
    else await dropDatabases(url, template);
  };
}

async function dropDatabases(url: string, start: string): Promise<void> {
  const names = await onServer(url, `select datname from pg_database where starts_with(datname, '${start}')`);
  for (const { datname } of names) await onServer(url, `drop database ${datname} with (force)`);
}

export function databaseOn(url: string, name: string): string {
  const address = new URL(url);
  address.pathname = `/${name}`;
  return address.href;
}

export function onServer(url: string, statement: string): Promise<Record<string, unknown>[]> {
  return withServer(url, (query) => query(statement));
}

/** The databases whose connections are kept for the next use, because opening one takes longer than most statements. */
const kept = new Map<string, Pool>();

/** Only for a database that is neither dropped nor renamed. */
export function keepConnections(url: string): void {
  if (kept.has(url)) return;
  const pool = new Pool({ connectionString: url, allowExitOnIdle: true });
  // A connection that ends while nobody uses it is replaced.
  pool.on('error', () => {});
  kept.set(url, pool);
}

/** Uses one connection for all statements. */
export async function withServer<T>(
  url: string,
  use: (query: (statement: string) => Promise<Record<string, unknown>[]>) => T | Promise<T>,
): Promise<T> {
  const pool = kept.get(url);
  if (pool) {
    const connection = await pool.connect();
    try {
      return await use(async (statement) => (await connection.query(statement)).rows);
    } finally {
      connection.release();
    }
  }
  const client = new Client({ connectionString: url });
  await client.connect();
  try {
    return await use(async (statement) => (await client.query(statement)).rows);
  } finally {
    await client.end();
  }
}
