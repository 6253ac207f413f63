import type { Kysely } from 'kysely';
import type { Migration } from 'kysely/migration';

/** An entry on record may say how many clients it was about, and grow while an import goes on. */
export const recordOfChanges = (): Migration => ({
  async up(db: Kysely<unknown>): Promise<void> {
    await db.schema.alterTable('activity').addColumn('clients', 'bigint').execute();
    await db.schema.createIndex('activity_by_id').unique().on('activity').columns(['account_id', 'id']).execute();
  },
});
