import { Client } from 'pg';
import { type Prepared, schemaMarker } from './prepare-data.ts';
import { rollcall } from './rollcall.ts';

/** What the benchmark needs of a PostgreSQL server that it started itself. */
interface OwnServer {
  url(database?: string): string;
  stop(): Promise<void>;
}

const OWN_SERVER = new URL('../packages/server/src/testing/postgres-server.ts', import.meta.url).href;

/** A server to put databases on; its reason for not being there is an error with a message. */
export async function startPostgres(): Promise<OwnServer> {
  await requireSupport();
  const given = process.env.ROLLCALL_BENCH_DATABASE_URL;
  if (given) return { url: (database) => withDatabase(given, database), stop: async () => {} };
  const { PostgresServer } = (await import(OWN_SERVER)) as { PostgresServer: { start(): Promise<OwnServer> } };
  return PostgresServer.start();
}

/** A copy of a prepared database, made by the program itself, or the one of an earlier run. */
export async function preparePostgres(server: OwnServer, prepared: Prepared): Promise<string> {
  const name = `rollcall_bench_${prepared.clients}_${schemaMarker()}`;
  const admin = new Client({ connectionString: server.url() });
  await admin.connect();
  try {
    const { rowCount } = await admin.query('select 1 from pg_database where datname = $1', [name]);
    if (!rowCount) {
      // Named only once it is full, so that a run that was interrupted leaves nothing that looks ready.
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

/** Nothing listens at this address: it only tells whether the program would try. */
async function requireSupport(): Promise<void> {
  try {
    await rollcall('postgres://rollcall@127.0.0.1:1/rollcall', ['migrate']);
  } catch (error) {
    if (String(error).includes('ROLLCALL_DATABASE_URL must be')) {
      throw new Error('this rollcall does not accept a postgres:// address');
    }
  }
}

function withDatabase(url: string, database: string | undefined): string {
  const address = new URL(url);
  if (database) address.pathname = `/${database}`;
  return address.href;
}
