import type { Kysely } from 'kysely';
import type { Migration } from 'kysely/migration';

/**
 * Who reviews which client, and how long clients were in each status. An older program that still serves erases clients and
 * removes members, so the rows that belong to them go with them. What it changes meanwhile is missing in the times.
 */
export const review = (): Migration => ({
  async up(db: Kysely<unknown>): Promise<void> {
    await db.schema
      .createTable('client_assignments')
      .addColumn('workspace_id', 'integer', (column) => column.notNull())
      .addColumn('client_id', 'bigint', (column) => column.notNull())
      .addColumn('member_id', 'integer', (column) => column.notNull().references('members.id').onDelete('cascade'))
      .addColumn('assigned_at', 'bigint', (column) => column.notNull())
      .addPrimaryKeyConstraint('client_assignments_key', ['workspace_id', 'client_id'])
      .addForeignKeyConstraint(
        'client_assignments_client',
        ['workspace_id', 'client_id'],
        'clients',
        ['workspace_id', 'id'],
        (constraint) => constraint.onDelete('cascade'),
      )
      .execute();
    await db.schema
      .createIndex('client_assignments_by_member')
      .on('client_assignments')
      .columns(['workspace_id', 'member_id', 'assigned_at', 'client_id'])
      .execute();
    await db.schema
      .createTable('assignment_events')
      .addColumn('workspace_id', 'integer', (column) => column.notNull())
      .addColumn('client_id', 'bigint', (column) => column.notNull())
      .addColumn('version', 'bigint', (column) => column.notNull())
      .addColumn('at', 'bigint', (column) => column.notNull())
      .addColumn('actor', 'text', (column) => column.notNull())
      .addColumn('assigned_from', 'text')
      .addColumn('assigned_to', 'text')
      .addPrimaryKeyConstraint('assignment_events_key', ['workspace_id', 'client_id', 'version'])
      .addForeignKeyConstraint(
        'assignment_events_client',
        ['workspace_id', 'client_id'],
        'clients',
        ['workspace_id', 'id'],
        (constraint) => constraint.onDelete('cascade'),
      )
      .execute();
    await addStatusChanges(db);
  },
});

async function addStatusChanges(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .createTable('status_changes')
    .addColumn('workspace_id', 'integer', (column) => column.notNull().references('workspaces.id'))
    .addColumn('client_id', 'bigint', (column) => column.notNull())
    .addColumn('version', 'bigint', (column) => column.notNull())
    .addColumn('at', 'bigint', (column) => column.notNull())
    .addColumn('from_status', 'smallint', (column) => column.notNull())
    .addColumn('to_status', 'smallint', (column) => column.notNull())
    .addColumn('entered_at', 'bigint', (column) => column.notNull())
    .addColumn('added_at', 'bigint', (column) => column.notNull())
    .addPrimaryKeyConstraint('status_changes_key', ['workspace_id', 'client_id', 'version'])
    .execute();
  // Each contains all that is read by it.
  await db.schema
    .createIndex('status_changes_by_former_status')
    .on('status_changes')
    .columns(['workspace_id', 'from_status', 'at', 'entered_at'])
    .execute();
  await db.schema
    .createIndex('status_changes_by_new_status')
    .on('status_changes')
    .columns(['workspace_id', 'to_status', 'at', 'added_at'])
    .execute();
}
