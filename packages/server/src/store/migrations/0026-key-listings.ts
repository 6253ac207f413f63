import type { Kysely } from 'kysely';
import type { Migration } from 'kysely/migration';

/** Which API key has asked for which clients, by day and filter. */
export const keyListings = (): Migration => ({
  async up(db: Kysely<unknown>): Promise<void> {
    await db.schema
      .createTable('key_listings')
      .addColumn('workspace_id', 'integer', (column) => column.notNull().references('workspaces.id'))
      .addColumn('key_id', 'text', (column) => column.notNull())
      .addColumn('day', 'integer', (column) => column.notNull())
      .addColumn('kind', 'text', (column) => column.notNull())
      .addColumn('filter', 'text', (column) => column.notNull())
      .addColumn('calls', 'bigint', (column) => column.notNull())
      .addColumn('last_at', 'bigint', (column) => column.notNull())
      .addPrimaryKeyConstraint('key_listings_pk', ['workspace_id', 'key_id', 'day', 'kind', 'filter'])
      .execute();
    await db.schema.createIndex('key_listings_by_day').on('key_listings').column('day').execute();
  },
});
