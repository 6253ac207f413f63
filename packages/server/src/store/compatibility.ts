import { sql } from 'kysely';
import { Trouble } from './engines/trouble.ts';
import { SCHEMA } from './migrations/migrate.ts';

export const COMPATIBILITY_TABLE = 'compatibility';

/** The oldest schema that a program must know to use the database; nothing before there was a record of it. */
export const OLDEST_SCHEMA = sql<number | null>`(select oldest_schema from compatibility)`;
export const SELECT_OLDEST_SCHEMA = 'select oldest_schema from compatibility';

export function isTooNew(oldestSchema: number | null | undefined): oldestSchema is number {
  return typeof oldestSchema === 'number' && oldestSchema > SCHEMA;
}

/** Another node has brought the schema of a database, which this program uses, to where it cannot follow. */
export function leftBehind(oldestSchema: number): Trouble {
  return new Trouble(
    `a newer version of Rollcall has changed the database, which now needs a program that knows schema ${oldestSchema}; this one knows ${SCHEMA}. Update it and restart`,
  );
}
