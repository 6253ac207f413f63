import { type Kysely, sql } from 'kysely';
import type { Migration } from 'kysely/migration';
import type { Dialect } from './migrate.ts';

/** A reference is unique within its workspace: whether another account has one is nobody's business. */
export const referencesByWorkspace = (dialect: Dialect): Migration => ({
  async up(db: Kysely<unknown>): Promise<void> {
    await db.schema.dropIndex('clients_by_reference').execute();
    await db.schema
      .createIndex('clients_by_reference')
      .unique()
      .on('clients')
      .columns(['workspace_id', 'reference_id'])
      .execute();
    // As in the first schema; what stood there of the old index went with it.
    if (dialect === 'sqlite') {
      await sql`insert into sqlite_stat1 (tbl, idx, stat) values ('clients', 'clients_by_reference', '10000000 1000000 1')`.execute(
        db,
      );
    }
  },
});
