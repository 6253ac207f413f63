import { DEFAULT_MIGRATION_TABLE } from 'kysely/migration';
import { Client } from 'pg';
import { COMPATIBILITY_TABLE, SELECT_OLDEST_SCHEMA } from '../../compatibility.ts';
import type { Contents } from '../contents.ts';
import { explained } from './failures.ts';
import { WORKING } from './pool.ts';
import { refused, requireUsable } from './start.ts';

/** Those of the schema that ours would be made in, without what an extension has brought along. */
const TABLES = `
  select relname as name from pg_class join pg_namespace on pg_namespace.oid = relnamespace
  where nspname = current_schema() and relkind in ('r', 'p', 'f', 'v', 'm') and not exists (
    select from pg_depend where classid = 'pg_class'::regclass and objid = pg_class.oid and deptype = 'e')`;

/** Reads what a database holds, and writes nothing. */
export async function lookAtPostgres(url: string): Promise<Contents> {
  await requireUsable(url, 'primary');
  const client = new Client({
    connectionString: url,
    connectionTimeoutMillis: WORKING.connectionMs,
    query_timeout: WORKING.connectionMs,
  });
  // Also said by connect() and query(), whose word is heard below.
  client.on('error', () => {});
  try {
    await client.connect();
    try {
      return await read(client);
    } finally {
      await client.end();
    }
  } catch (error) {
    throw refused(error, url) ?? explained(error);
  }
}

async function read(client: Client): Promise<Contents> {
  const names = async (query: string) => (await client.query<{ name: string }>(query)).rows.map(({ name }) => name);
  const tables = await names(TABLES);
  const isMigrated = tables.includes(DEFAULT_MIGRATION_TABLE);
  const isOnRecord = tables.includes(COMPATIBILITY_TABLE);
  const records = isOnRecord ? (await client.query<{ oldest_schema: number }>(SELECT_OLDEST_SCHEMA)).rows : [];
  return {
    tables,
    migrations: isMigrated ? await names(`select name from ${DEFAULT_MIGRATION_TABLE}`) : [],
    oldestSchema: records[0]?.oldest_schema,
  };
}
