import { Client } from 'pg';
import { PostgresServer } from '../../packages/server/src/testing/postgres-server.ts';
import { dataVersion, type PreparedData } from '../prepare-data.ts';
import { rollcall } from './rollcall.ts';

/** A PostgreSQL server: the configured one, or one that was started for the run. */
type Server = Pick<PostgresServer, 'url' | 'stop'>;

export async function startPostgres(): Promise<Server> {
  const given = process.env.ROLLCALL_BENCH_DATABASE_URL;
  if (!given) return PostgresServer.start();
  return { url: (database) => withDatabase(given, database), stop: async () => {} };
}

/** A copy of the prepared database, made with the program itself or kept from an earlier run. */
export async function preparePostgres(server: Server, prepared: PreparedData): Promise<string> {
  const name = `rollcall_bench_${prepared.clients}_${dataVersion()}`;
  const admin = new Client({ connectionString: server.url() });
  await admin.connect();
  try {
    const { rowCount } = await admin.query('select 1 from pg_database where datname = $1', [name]);
    if (!rowCount) {
      // Renamed only when it is complete, so that an interrupted run leaves nothing that looks complete.
      await admin.query(`drop database if exists ${name}_part`);
      await admin.query(`create database ${name}_part`);
      await rollcall(server.url(`${name}_part`), ['copy', '--from', prepared.databaseUrl, '--json']);
      await admin.query(`alter database ${name}_part rename to ${name}`);
    }
  } finally {
    await admin.end();
  }
  return server.url(name);
}

function withDatabase(url: string, database: string | undefined): string {
  const address = new URL(url);
  if (database) address.pathname = `/${database}`;
  return address.href;
}
