import type { Kysely } from 'kysely';
import type { Migration } from 'kysely/migration';

/** How many rows of an import changed the status of clients. A program that does not know this leaves it empty. */
export const statusChangesOfImports = (): Migration => ({
  async up(db: Kysely<unknown>): Promise<void> {
    await db.schema.alterTable('import_jobs').addColumn('status_changes', 'text').execute();
  },
});
