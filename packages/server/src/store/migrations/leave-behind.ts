import { type Kysely, sql } from 'kysely';

/**
 * For a migration that a program of before it could not live with: from the moment it is committed, programs that do not
 * know this schema neither start on the database nor write to it, and those that run answer 503.
 */
export async function leaveBehindOlderThan<Schema>(schema: number, db: Kysely<Schema>): Promise<void> {
  await sql`update compatibility set oldest_schema = ${schema} where oldest_schema < ${schema}`.execute(db);
}
