import { sql } from 'kysely';
import { DatabaseUnavailable } from './engines/database-unavailable.ts';
import { SCHEMA } from './migrations/migrate.ts';

export const COMPATIBILITY_TABLE = 'compatibility';

/** The oldest schema that a program must know to use the database, or null in a database that does not say so. */
export const OLDEST_SCHEMA = sql<number | null>`(select oldest_schema from compatibility)`;
export const SELECT_OLDEST_SCHEMA = 'select oldest_schema from compatibility';

export function isTooNew(oldestSchema: number | null | undefined): oldestSchema is number {
  return typeof oldestSchema === 'number' && oldestSchema > SCHEMA;
}

/** The failure when another node has upgraded the database to a schema that this program cannot use. */
export function programTooOld(oldestSchema: number): DatabaseUnavailable {
  return new DatabaseUnavailable(
    `a newer version of Rollcall has upgraded the database, which now requires schema ${oldestSchema}; this version supports up to schema ${SCHEMA}. Update Rollcall and restart it`,
  );
}
