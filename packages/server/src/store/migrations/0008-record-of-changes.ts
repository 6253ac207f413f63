import type { Kysely } from 'kysely';
import type { Migration } from 'kysely/migration';

/** An activity entry may contain the number of affected clients, which grows during an import. */
export const recordOfChanges = (): Migration => ({
  async up(db: Kysely<unknown>): Promise<void> {
    await db.schema.alterTable('activity').addColumn('clients', 'bigint').execute();
    await db.schema.createIndex('activity_by_id').unique().on('activity').columns(['account_id', 'id']).execute();
  },
});
