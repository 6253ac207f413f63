import type { Kysely } from 'kysely';
import type { Migration } from 'kysely/migration';

/** Failed attempts to sign in, which all processes count together. */
export const signIn = (): Migration => ({
  async up(db: Kysely<unknown>): Promise<void> {
    await db.schema
      .createTable('sign_in_attempts')
      .addColumn('source', 'text', (column) => column.primaryKey())
      .addColumn('failures', 'integer', (column) => column.notNull())
      .addColumn('last_at', 'bigint', (column) => column.notNull())
      .addColumn('wait_until', 'bigint', (column) => column.notNull())
      .execute();
    await db.schema.createIndex('sign_in_attempts_by_time').on('sign_in_attempts').column('last_at').execute();
  },
});
