import type { Kysely } from 'kysely';
import type { Migration } from 'kysely/migration';

/** Which rows of an import added a client whose email a client of another group had. A program that does not know this leaves it empty. */
export const emailsElsewhereOfImports = (): Migration => ({
  async up(db: Kysely<unknown>): Promise<void> {
    await db.schema.alterTable('import_jobs').addColumn('emails_elsewhere', 'text').execute();
  },
});
