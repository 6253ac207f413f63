import { type Kysely, sql } from 'kysely';
import type { Migration } from 'kysely/migration';

/**
 * Which programs may use this database: one row with the number of the oldest schema that a program must know. Older programs
 * do not check it. It also adds the column for test writes.
 */
export const compatibility = (): Migration => ({
  async up(db: Kysely<unknown>): Promise<void> {
    await db.schema
      .createTable('compatibility')
      .addColumn('id', 'integer', (column) => column.primaryKey())
      .addColumn('oldest_schema', 'integer', (column) => column.notNull())
      .execute();
    await sql`insert into compatibility (id, oldest_schema) values (1, 9)`.execute(db);
    await db.schema.alterTable('installation').addColumn('write_tried_at', 'bigint').execute();
  },
});
