import type { Kysely } from 'kysely';
import type { Migration } from 'kysely/migration';

/**
 * How many of the rejected rows of an import were corrected, so that the activity log can say how many were rejected at first. What
 * was corrected before, or is corrected by the previous version meanwhile, is not counted.
 */
export const correctedRejects = (): Migration => ({
  async up(db: Kysely<unknown>): Promise<void> {
    await db.schema
      .alterTable('import_jobs')
      .addColumn('corrected', 'integer', (column) => column.notNull().defaultTo(0))
      .execute();
  },
});
