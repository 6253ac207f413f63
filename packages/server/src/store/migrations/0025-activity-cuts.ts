import { type Kysely, sql } from 'kysely';
import type { Migration } from 'kysely/migration';
import { raiseOldestSchema } from './raise-oldest-schema.ts';

/** Where the oldest entries of the activity log were removed. A program that does not know this would take them for missing. */
export const activityCuts = (): Migration => ({
  async up(db: Kysely<unknown>): Promise<void> {
    await db.schema
      .createTable('activity_cuts')
      .addColumn('chain', 'text', (column) => column.primaryKey())
      .addColumn('count', 'bigint', (column) => column.notNull())
      .addColumn('hash', 'text', (column) => column.notNull())
      .addColumn('signed', 'text', (column) => column.notNull())
      .addColumn('kid', 'text', (column) => column.notNull())
      .execute();
    // Entries may be removed without their details only if their client was erased.
    await sql`create index activity_erasures on activity_entries (chain, subject) where action = 'client.erased'`.execute(
      db,
    );
    await raiseOldestSchema(25, db);
  },
});
