import { setTimeout as sleep } from 'node:timers/promises';
import { Kysely, PostgresDialect, sql } from 'kysely';
import type { Tables } from '../../tables.ts';
import { DatabaseUnavailable } from '../database-unavailable.ts';
import { BoundedPool, COMMAND_TIMEOUTS } from './bounded-pool.ts';

/** How long requests may have to wait for a table that is about to be rewritten. */
const LOCK_TIMEOUT_MS = 1000;

/** Transactions of the service last less than this. A backup or an export of another program may take longer. */
const SNAPSHOTS_WAIT_MS = 5000;
const SNAPSHOTS_POLL_MS = 100;

/**
 * Writes the tables again, without the rows that were replaced or deleted. `cluster` does this like `vacuum full`, but can be
 * part of a transaction, so that its wait for the lock is limited behind a pooler as well: requests that need the table wait
 * behind it.
 */
export async function rewriteTables(url: string, tables: readonly (keyof Tables)[]): Promise<void> {
  const db = new Kysely<Tables>({
    dialect: new PostgresDialect({ pool: new BoundedPool(url, 1, COMMAND_TIMEOUTS) }),
  });
  try {
    await waitForOlderSnapshots(db);
    await db.transaction().execute(async (transaction) => {
      await sql`set local lock_timeout = ${sql.lit(LOCK_TIMEOUT_MS)}`.execute(transaction);
      for (const table of tables) {
        await sql`cluster ${sql.table(table)} using ${sql.id(`${table}_pkey`)}`.execute(transaction);
      }
    });
  } finally {
    await db.destroy();
  }
}

/** Rows that an older transaction can still see are copied into the new table. So they have to end first. */
async function waitForOlderSnapshots(db: Kysely<Tables>): Promise<void> {
  const { rows } = await sql<{ xid: string }>`select pg_current_xact_id()::text as xid`.execute(db);
  const now = sql`${rows[0]?.xid}::xid8::xid`;
  const deadline = performance.now() + SNAPSHOTS_WAIT_MS;
  while (performance.now() < deadline) {
    const { rows: older } = await sql`
      select 1 from pg_stat_activity
      where datname = current_database() and pid <> pg_backend_pid() and age(backend_xmin) > age(${now})`.execute(db);
    if (older.length === 0) return;
    await sleep(SNAPSHOTS_POLL_MS);
  }
  throw new DatabaseUnavailable('another transaction has been reading the database for too long');
}
