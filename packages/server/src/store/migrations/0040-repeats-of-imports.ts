import type { Kysely } from 'kysely';
import type { Migration } from 'kysely/migration';

/** Which rows of an import changed a client of an earlier row. A program that does not know this leaves it empty. */
export const repeatsOfImports = (): Migration => ({
  async up(db: Kysely<unknown>): Promise<void> {
    await db.schema.alterTable('import_jobs').addColumn('repeats', 'text').execute();
  },
});
