import type { Kysely } from 'kysely';
import type { Migration } from 'kysely/migration';

/** What this database is: one row, made at the first start, that says which life of the data this is, and where it is. */
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
