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

/** A table, and a column of text in it. */
export interface RewrittenTable {
  table: keyof Tables;
  column: string;
}

/**
 * Writes the tables again, without the rows that were replaced or deleted, by computing a column anew. `vacuum full` and
 * `cluster` would copy rows that were replaced while a transaction in any database of the server was open, although nobody can
 * see them. The wait for the lock is limited, because requests that need the table wait behind it.
 */
export async function rewriteTables(url: string, tables: readonly RewrittenTable[]): Promise<void> {
  const db = new Kysely<Tables>({
    dialect: new PostgresDialect({ pool: new BoundedPool(url, 1, COMMAND_TIMEOUTS) }),
  });
  try {
    await waitForOlderSnapshots(db);
    await db.transaction().execute(async (transaction) => {
      await sql`set local lock_timeout = ${sql.lit(LOCK_TIMEOUT_MS)}`.execute(transaction);
      for (const { table, column } of tables) {
        const name = sql.ref(column);
        await sql`alter table ${sql.table(table)} alter column ${name} type text using ${name} || ''`.execute(
          transaction,
        );
      }
    });
  } finally {
    await db.destroy();
  }
}

/** To older transactions, the new table would seem to be empty. So they have to end first. */
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
