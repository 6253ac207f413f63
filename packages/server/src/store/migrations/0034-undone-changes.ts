import { type Kysely, sql } from 'kysely';
import type { Migration } from 'kysely/migration';

/**
 * Which line of a history an undo has undone, so that neither of the two counts. What the previous version undoes meanwhile
 * counts as two changes. Lines of later parts of an import get an index by time, as all other entries of the activity log have
 * one, so that the history of a client can say from where it was imported.
 */
export const undoneChanges = (): Migration => ({
  async up(db: Kysely<unknown>): Promise<void> {
    await db.schema.alterTable('client_events').addColumn('undoes', 'bigint').execute();
    await sql`create index activity_parts_by_time on activity_entries (account_id, at) where continues = 1`.execute(db);
  },
});
