import type { Kysely } from 'kysely';
import type { Migration } from 'kysely/migration';

/**
 * Which clients each part of a bulk change has changed, and between which positions all of them are, so that undoing reads no
 * others. A program that does not know this leaves it empty, and removes the parts with their change.
 */
export const bulkChangeParts = (): Migration => ({
  async up(db: Kysely<unknown>): Promise<void> {
    await db.schema.alterTable('bulk_changes').addColumn('span', 'text').execute();
    await db.schema
      .createTable('bulk_change_parts')
      .addColumn('workspace_id', 'integer', (column) => column.notNull())
      .addColumn('change_id', 'text', (column) => column.notNull())
      .addColumn('step', 'integer', (column) => column.notNull())
      .addColumn('reference_ids', 'text', (column) => column.notNull())
      .addPrimaryKeyConstraint('bulk_change_parts_pk', ['workspace_id', 'change_id', 'step'])
      .addForeignKeyConstraint(
        'bulk_change_parts_change',
        ['workspace_id', 'change_id'],
        'bulk_changes',
        ['workspace_id', 'id'],
        (constraint) => constraint.onDelete('cascade'),
      )
      .execute();
    // Without it, SQLite reads the long lists of all changes to find the latest ones.
    await db.schema
      .createIndex('bulk_changes_by_end')
      .on('bulk_changes')
      .columns(['workspace_id', 'ended_at'])
      .execute();
  },
});
