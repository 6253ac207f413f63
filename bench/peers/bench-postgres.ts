import { randomUUID } from 'node:crypto';
import { Client } from 'pg';
import { PostgresServer } from '../../packages/server/src/testing/postgres-server.ts';
import { parentOf } from '../measure/process-usage.ts';
import { dataVersion, type PreparedData } from '../prepare-data.ts';
import { rollcall } from './rollcall.ts';
import type { ServedData } from './servers.ts';

/** A PostgreSQL server: the configured one, or one that was started for the run. */
export interface BenchPostgres {
  url(database?: string): string;
  /** Its first process; unknown on another machine and on systems without /proc. */
  pid: number | undefined;
  stop(): Promise<void>;
}

export async function startPostgres(): Promise<BenchPostgres> {
  const given = process.env.ROLLCALL_BENCH_DATABASE_URL;
  const server = given ? undefined : await PostgresServer.start();
  const url = (database?: string) => server?.url(database) ?? withDatabase(given ?? '', database);
  return { url, pid: await firstProcess(url()), stop: async () => server?.stop() };
}

/** A copy of the prepared database, made with the program itself or kept from an earlier run. */
export async function preparePostgres(server: BenchPostgres, prepared: PreparedData): Promise<ServedData> {
  const name = `rollcall_bench_${prepared.clients}_${dataVersion()}`;
  await query(server.url(), async (admin) => {
    const { rowCount } = await admin.query('select 1 from pg_database where datname = $1', [name]);
    if (rowCount) return;
    // Renamed only when it is complete, so that an interrupted run leaves nothing that looks complete.
    await admin.query(`drop database if exists ${name}_part`);
    await admin.query(`create database ${name}_part`);
    await rollcall(server.url(`${name}_part`), ['copy', '--from', prepared.databaseUrl, '--json']);
    // The server does this itself sooner or later, but not in the middle of a measurement.
    await query(server.url(`${name}_part`), (copied) => copied.query('vacuum analyze'));
    await admin.query(`alter database ${name}_part rename to ${name}`);
  });
  const { apiKey, password } = prepared;
  return { engine: 'postgres', databaseUrl: server.url(name), apiKey, password, databasePid: server.pid };
}

/** Gives the work a new database, which is removed afterwards. */
export async function withNewDatabase(
  server: BenchPostgres,
  work: (databaseUrl: string) => Promise<void>,
): Promise<void> {
  const name = `rollcall_bench_${randomUUID().replaceAll('-', '')}`;
  await query(server.url(), (admin) => admin.query(`create database ${name}`));
  try {
    await work(server.url(name));
  } finally {
    await query(server.url(), (admin) => admin.query(`drop database ${name} with (force)`));
  }
}

async function query<T>(connectionString: string, work: (client: Client) => Promise<T>): Promise<T> {
  const client = new Client({ connectionString });
  await client.connect();
  try {
    return await work(client);
  } finally {
    await client.end();
  }
}

/** Every connection is served by a process that the first one started. */
function firstProcess(url: string): Promise<number | undefined> {
  return query(url, async (client) => {
    const { rows } = await client.query<{ pid: number }>('select pg_backend_pid() as pid');
    return rows[0] && parentOf(rows[0].pid, 'postgres');
  });
}

function withDatabase(url: string, database: string | undefined): string {
  const address = new URL(url);
  if (database) address.pathname = `/${database}`;
  return address.href;
}
