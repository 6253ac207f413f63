import { randomBytes } from 'node:crypto';
import { Client } from 'pg';
import type { TestProject } from 'vitest/node';
import { openStore } from '../store/open-store.ts';
import { PostgresServer } from './postgres-server.ts';

declare module 'vitest' {
  interface ProvidedContext {
    /** Which engine the stores of this run are on. */
    engine: 'sqlite' | 'postgres';
    /** The server on which every test store is a database of its own. */
    postgresUrl: string;
    /** A migrated, empty database on it, to be copied. */
    postgresTemplate: string;
  }
}

/** Once per project and run: the server that `ROLLCALL_TEST_DATABASE_URL` names, or one that is started here and thrown away. */
export default async function setup(project: TestProject): Promise<() => Promise<void>> {
  const given = process.env.ROLLCALL_TEST_DATABASE_URL;
  // Nothing in these tests outlives the machine, so nothing has to reach the disk.
  const server = given ? undefined : await PostgresServer.start(['fsync=off', 'full_page_writes=off']);
  const url = given ?? server?.url() ?? '';
  // Unlike those of other projects and runs, which may use the same server at the same time.
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

export async function onServer(url: string, statement: string): Promise<Record<string, unknown>[]> {
  const client = new Client({ connectionString: url });
  await client.connect();
  try {
    return (await client.query(statement)).rows;
  } finally {
    await client.end();
  }
}
