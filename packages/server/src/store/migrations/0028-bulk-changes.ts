import { type Kysely, sql } from 'kysely';
import type { Migration } from 'kysely/migration';

/** Changes of many clients that the service makes in the background. */
export const bulkChanges = (): Migration => ({
  async up(db: Kysely<unknown>): Promise<void> {
    await db.schema
      .createTable('bulk_changes')
      .addColumn('workspace_id', 'integer', (column) => column.notNull().references('workspaces.id'))
      .addColumn('id', 'text', (column) => column.notNull())
      .addColumn('state', 'text', (column) => column.notNull())
      .addColumn('request', 'text', (column) => column.notNull())
      .addColumn('reference_ids', 'text')
      .addColumn('actor', 'text', (column) => column.notNull())
      .addColumn('created_at', 'bigint', (column) => column.notNull())
      .addColumn('started_at', 'bigint')
      .addColumn('ended_at', 'bigint')
      .addColumn('total', 'bigint', (column) => column.notNull())
      .addColumn('last_client_id', 'bigint', (column) => column.notNull())
      .addColumn('step', 'integer', (column) => column.notNull())
      .addColumn('position_at', 'bigint', (column) => column.notNull())
      .addColumn('position_id', 'bigint', (column) => column.notNull())
      .addColumn('changed', 'bigint', (column) => column.notNull())
      .addColumn('unchanged', 'bigint', (column) => column.notNull())
      .addColumn('refused', 'bigint', (column) => column.notNull())
      .addColumn('undoable', 'bigint', (column) => column.notNull())
      .addColumn('refusals', 'text', (column) => column.notNull())
      .addColumn('versions', 'text', (column) => column.notNull())
      .addColumn('reason', 'text')
      .addColumn('runner', 'text')
      .addColumn('runs_until', 'bigint', (column) => column.notNull())
      .addColumn('attempts', 'integer', (column) => column.notNull())
      .addPrimaryKeyConstraint('bulk_changes_pk', ['workspace_id', 'id'])
      .execute();
    // Few are not over, so finding the next one reads little.
    await sql`create index open_bulk_changes on bulk_changes (workspace_id, created_at)
      where state in ('queued', 'running')`.execute(db);
  },
});
