import { type Kysely, sql } from 'kysely';
import type { Migration } from 'kysely/migration';
import type { Dialect } from './dialect.ts';

/** A reference is unique within its workspace: whether another account has one is nobody's business. */
export const referencesByWorkspace = (dialect: Dialect): Migration => ({
  async up(db: Kysely<unknown>): Promise<void> {
    // The new one first: while it is built, lists are still read. Dropping the old one keeps everybody out for an instant.
    await db.schema
      .createIndex('clients_by_workspace_reference')
      .unique()
      .on('clients')
      .columns(['workspace_id', 'reference_id'])
      .execute();
    await db.schema.dropIndex('clients_by_reference').execute();
    // As in the first schema; what stood there of the old index went with it.
    if (dialect === 'sqlite') {
      const figures = ['clients', 'clients_by_workspace_reference', '10000000 1000000 1'];
      await sql`insert into sqlite_stat1 (tbl, idx, stat) values (${sql.join(figures)})`.execute(db);
    }
  },
});
