import { type Kysely, sql } from 'kysely';
import type { Migration } from 'kysely/migration';

export const installation = (): Migration => ({
  async up(db: Kysely<unknown>): Promise<void> {
    await db.schema
      .createTable('installation')
      .addColumn('id', 'integer', (column) => column.primaryKey())
      .addColumn('epoch', 'text', (column) => column.notNull())
      .addColumn('place', 'text', (column) => column.notNull())
      .execute();
    await sql`insert into installation (id, epoch, place) values (1, 'x', 'y')`.execute(db);
  },
});
