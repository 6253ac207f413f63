import type { Kysely } from 'kysely';
import type { Migration } from 'kysely/migration';

/** The filters of the clients page that members have saved. */
export const savedViews = (): Migration => ({
  async up(db: Kysely<unknown>): Promise<void> {
    await db.schema
      .createTable('saved_views')
      .addColumn('workspace_id', 'integer', (column) => column.notNull().references('workspaces.id'))
      .addColumn('id', 'text', (column) => column.notNull())
      .addColumn('name', 'text', (column) => column.notNull())
      .addColumn('filters', 'text', (column) => column.notNull())
      // None if it is shared.
      .addColumn('member_id', 'integer', (column) => column.references('members.id').onDelete('cascade'))
      .addColumn('created_at', 'bigint', (column) => column.notNull())
      .addPrimaryKeyConstraint('saved_views_pk', ['workspace_id', 'id'])
      .execute();
    await db.schema
      .createIndex('saved_views_by_member')
      .on('saved_views')
      .columns(['workspace_id', 'member_id'])
      .execute();
  },
});
