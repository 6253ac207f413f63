import type { Kysely } from 'kysely';
import type { Migration } from 'kysely/migration';

/**
 * Between which groups an import moved clients, which groups it made, and which clients it added or changed. A program that does not
 * know this leaves it empty, and removes the clients with their import.
 */
export const groupsAndClientsOfImports = (): Migration => ({
  async up(db: Kysely<unknown>): Promise<void> {
    await db.schema.alterTable('import_jobs').addColumn('group_changes', 'text').execute();
    await db.schema
      .createTable('import_clients')
      .addColumn('workspace_id', 'integer', (column) => column.notNull())
      .addColumn('import_id', 'text', (column) => column.notNull())
      .addColumn('client_id', 'bigint', (column) => column.notNull())
      .addColumn('is_added', 'integer', (column) => column.notNull())
      .addPrimaryKeyConstraint('import_clients_pk', ['workspace_id', 'import_id', 'client_id'])
      .addForeignKeyConstraint(
        'import_clients_import',
        ['workspace_id', 'import_id'],
        'import_jobs',
        ['workspace_id', 'id'],
        (constraint) => constraint.onDelete('cascade'),
      )
      .execute();
  },
});
