import { type Kysely, sql } from 'kysely';
import type { Migration } from 'kysely/migration';

/** Removes views whose filters are longer than any that can be chosen: reading some of them would take all memory. */
export const boundedViews = (): Migration => ({
  async up(db: Kysely<unknown>): Promise<void> {
    await sql`delete from saved_views where length(filters) > 4096`.execute(db);
  },
});
