import { type Kysely, sql } from 'kysely';

/**
 * For a migration that older programs cannot work with. Once it is committed, programs that do not know this schema neither
 * start on the database nor write to it, and those that are running answer 503.
 */
export async function raiseOldestSchema<Schema>(schema: number, db: Kysely<Schema>): Promise<void> {
  await sql`update compatibility set oldest_schema = ${schema} where oldest_schema < ${schema}`.execute(db);
}
