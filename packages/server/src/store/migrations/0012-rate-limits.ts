import { type Kysely, sql } from 'kysely';
import type { Migration } from 'kysely/migration';
import type { Dialect } from './dialect.ts';

/**
 * The buckets of rate limits that the nodes share. The table is not logged, so that a lease needs no write to the disk: after
 * a crash it is empty, and so all buckets are full. On SQLite, processes share their buckets in memory.
 */
export const rateLimits = (dialect: Dialect): Migration => ({
  async up(db: Kysely<unknown>): Promise<void> {
    if (dialect === 'sqlite') return;
    await sql`create unlogged table rate_limits (
      bucket text collate "C" primary key,
      asked_at double precision not null,
      until_full_ms double precision not null,
      interval_ms double precision not null,
      burst double precision not null,
      granted integer not null
    )`.execute(db);
  },
});
