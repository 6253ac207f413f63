import type { Kysely } from 'kysely';
import type { Migration } from 'kysely/migration';

/** Which rows of an import gave a client another email. A program that does not know this leaves it empty. */
export const emailsChangedByImports = (): Migration => ({
  async up(db: Kysely<unknown>): Promise<void> {
    await db.schema.alterTable('import_jobs').addColumn('email_changes', 'text').execute();
  },
});
