import { type Kysely, sql } from 'kysely';
import type { Migration } from 'kysely/migration';
import type { Dialect } from './dialect.ts';

/** A reference is unique within its workspace, so that an account cannot find out which references others have. */
export const referencesByWorkspace = (dialect: Dialect): Migration => ({
  async up(db: Kysely<unknown>): Promise<void> {
    // The new index first: lists can be read while it is built. Dropping the old one locks the table only briefly.
    await db.schema
      .createIndex('clients_by_workspace_reference')
      .unique()
      .on('clients')
      .columns(['workspace_id', 'reference_id'])
      .execute();
    await db.schema.dropIndex('clients_by_reference').execute();
    // The statistics as in the first schema. Those of the old index were deleted with it.
    if (dialect === 'sqlite') {
      const figures = ['clients', 'clients_by_workspace_reference', '10000000 1000000 1'];
      await sql`insert into sqlite_stat1 (tbl, idx, stat) values (${sql.join(figures)})`.execute(db);
    }
  },
});
