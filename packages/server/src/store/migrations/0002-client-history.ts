import type { Kysely } from 'kysely';
import type { Migration } from 'kysely/migration';

/** A history line per change, and what is kept of erased clients. */
export const clientHistory = (): Migration => ({
  async up(db: Kysely<unknown>): Promise<void> {
    await db.schema
      .createTable('client_events')
      .addColumn('workspace_id', 'integer', (column) => column.notNull())
      .addColumn('client_id', 'bigint', (column) => column.notNull())
      .addColumn('version', 'bigint', (column) => column.notNull())
      .addColumn('at', 'bigint', (column) => column.notNull())
      .addColumn('actor', 'text', (column) => column.notNull())
      .addColumn('kind', 'smallint', (column) => column.notNull())
      .addColumn('changed_from', 'text')
      .addColumn('changed_to', 'text')
      .addPrimaryKeyConstraint('client_events_pk', ['workspace_id', 'client_id', 'version'])
      .execute();

    await db.schema
      .createTable('erased_clients')
      .addColumn('workspace_id', 'integer', (column) => column.notNull())
      .addColumn('reference_id', 'text', (column) => column.notNull())
      .addColumn('client_id', 'bigint', (column) => column.notNull())
      .addColumn('erased_at', 'bigint', (column) => column.notNull())
      .addPrimaryKeyConstraint('erased_clients_pk', ['workspace_id', 'reference_id'])
      .execute();
  },
});
