import type { Kysely } from 'kysely';
import type { Migration } from 'kysely/migration';

/** What owners decide for all members. */
export const accountRules = (): Migration => ({
  async up(db: Kysely<unknown>): Promise<void> {
    for (const name of ['requires_second_factor', 'viewers_may_export']) {
      await db.schema
        .alterTable('accounts')
        .addColumn(name, 'integer', (column) => column.notNull().defaultTo(0))
        .execute();
    }
  },
});
