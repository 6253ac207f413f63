import type { Kysely } from 'kysely';
import type { Migration } from 'kysely/migration';

/** How much of its file an import has read. A program that does not know this leaves it empty. */
export const importProgress = (): Migration => ({
  async up(db: Kysely<unknown>): Promise<void> {
    await db.schema.alterTable('import_jobs').addColumn('share_read', 'integer').execute();
  },
});
