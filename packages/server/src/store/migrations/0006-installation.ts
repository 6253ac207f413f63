import type { Kysely } from 'kysely';
import type { Migration } from 'kysely/migration';

/** One row, created at the first start, with the epoch and the identity of the database. */
export const installation = (): Migration => ({
  async up(db: Kysely<unknown>): Promise<void> {
    await db.schema
      .createTable('installation')
      .addColumn('id', 'integer', (column) => column.primaryKey())
      .addColumn('epoch', 'text', (column) => column.notNull())
      .addColumn('place', 'text', (column) => column.notNull())
      .execute();
  },
});
