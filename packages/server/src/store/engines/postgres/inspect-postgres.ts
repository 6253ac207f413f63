import { DEFAULT_MIGRATION_TABLE } from 'kysely/migration';
import { Client } from 'pg';
import { COMPATIBILITY_TABLE, SELECT_OLDEST_SCHEMA } from '../../compatibility.ts';
import type { DatabaseContents } from '../database-contents.ts';
import { COMMAND_TIMEOUTS } from './bounded-pool.ts';
import { refusalOf, requireUsable } from './check-at-start.ts';
import { mapError } from './unavailable-errors.ts';

/** The tables and views in the schema that Rollcall would use, without those of extensions. */
const TABLES = `
  select relname as name from pg_class join pg_namespace on pg_namespace.oid = relnamespace
  where nspname = current_schema() and relkind in ('r', 'p', 'f', 'v', 'm') and not exists (
    select from pg_depend where classid = 'pg_class'::regclass and objid = pg_class.oid and deptype = 'e')`;

/** Reads the contents of a database without writing to it. */
export async function inspectPostgres(url: string): Promise<DatabaseContents> {
  await requireUsable(url, 'primary');
  const client = new Client({
    connectionString: url,
    connectionTimeoutMillis: COMMAND_TIMEOUTS.connectionMs,
    query_timeout: COMMAND_TIMEOUTS.connectionMs,
  });
  // connect() and query() report the same error, which is handled below.
  client.on('error', () => {});
  try {
    await client.connect();
    try {
      return await read(client);
    } finally {
      await client.end();
    }
  } catch (error) {
    throw refusalOf(error, url) ?? mapError(error);
  }
}

async function read(client: Client): Promise<DatabaseContents> {
  const names = async (query: string) => (await client.query<{ name: string }>(query)).rows.map(({ name }) => name);
  const tables = await names(TABLES);
  const isMigrated = tables.includes(DEFAULT_MIGRATION_TABLE);
  const hasCompatibility = tables.includes(COMPATIBILITY_TABLE);
  const records = hasCompatibility ? (await client.query<{ oldest_schema: number }>(SELECT_OLDEST_SCHEMA)).rows : [];
  return {
    tables,
    migrations: isMigrated ? await names(`select name from ${DEFAULT_MIGRATION_TABLE}`) : [],
    oldestSchema: records[0]?.oldest_schema,
  };
}
