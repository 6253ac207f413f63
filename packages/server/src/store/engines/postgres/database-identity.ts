import { type Kysely, type RawBuilder, sql, type Transaction } from 'kysely';
import { isTooNew, OLDEST_SCHEMA, programTooOld } from '../../compatibility.ts';
import { INSTALLATION_ID, recordIdentity } from '../../installation.ts';
import type { Tables } from '../../tables.ts';
import type { UnavailableListener } from '../database-unavailable.ts';
import { CHANNEL } from './change-listener.ts';
import { sqlStateOf, toUnavailable } from './unavailable-errors.ts';

/**
 * What distinguishes a database from a copy, a restored backup or a promoted replica: the cluster, the database in it, and
 * the timeline, that is, how often its history has forked. The timeline is read from the current write position, because the
 * one in the last checkpoint lags behind a promotion.
 */
const PARTS = [
  sql`(select system_identifier from pg_control_system())`,
  sql`(select oid from pg_database where datname = current_database())`,
  sql`substr(pg_walfile_name(pg_current_wal_lsn()), 1, 8)`,
];

/** Comes first in its statement, because a replica refuses it as it refuses every write. */
const ANNOUNCE = sql`pg_notify(${CHANNEL}, '')`;

/** The SQLSTATE with which a replica refuses to report its write position. */
const IN_RECOVERY = '55000';

/** A transaction was rolled back because the identity of the database is not the recorded one. */
export class IdentityChanged extends Error {}

interface Identities {
  stored: string | null;
  actual: string;
  oldestSchema: number | null;
}

const STORED = sql`(select place from installation where id = ${sql.lit(INSTALLATION_ID)})`;

/** Compares the actual identity of the database with the recorded one, and checks that this program may still use it. */
export class DatabaseIdentity {
  readonly #onProgramTooOld: UnavailableListener;
  /** The parts that this user may read. Must be detected before it is used. */
  #actual: RawBuilder<string> | undefined;

  constructor(onProgramTooOld: UnavailableListener) {
    this.#onProgramTooOld = onProgramTooOld;
  }

  /** Leaves out the parts that a managed server does not let this user read. The rest still distinguishes most databases. */
  async detect(db: Kysely<Tables>): Promise<void> {
    if (this.#actual) return;
    const parts = [];
    for (const part of PARTS) parts.push((await isReadable(db, part)) ? part : sql`''`);
    this.#actual = sql<string>`concat_ws(':', ${sql.join(parts)})`;
  }

  /** Records the identity if it has changed, which starts a new epoch. */
  async record(db: Kysely<Tables>): Promise<void> {
    await this.detect(db);
    const { stored, actual } = await this.#compare(db, sql`null`);
    if (stored === actual) return;
    await db.transaction().execute(async (transaction) => {
      await recordIdentity(transaction, actual);
      await sql`select ${ANNOUNCE}`.execute(transaction);
    });
  }

  /**
   * Notifies the other nodes at the end of a transaction, and refuses the change if the identity of the database has changed:
   * a promoted or restored server has the epoch of the original, but from now on a history of its own. Until the first write
   * its epoch is still right, because the same versions had the same data. It also refuses the change if this program must
   * not use the schema any more.
   */
  async announce(db: Transaction<Tables>): Promise<void> {
    const { stored, actual } = await this.#compare(db, ANNOUNCE);
    if (stored !== actual) throw new IdentityChanged('The identity of the database has changed.');
  }

  async requireCompatible(db: Kysely<Tables>): Promise<void> {
    const { rows } = await sql<Pick<Identities, 'oldestSchema'>>`select ${OLDEST_SCHEMA} as "oldestSchema"`.execute(db);
    this.#requireCompatible(rows[0]?.oldestSchema);
  }

  #requireCompatible(oldestSchema: number | null | undefined): void {
    if (!isTooNew(oldestSchema)) return;
    const refusal = programTooOld(oldestSchema);
    this.#onProgramTooOld(refusal);
    throw refusal;
  }

  async #compare(db: Kysely<Tables>, first: RawBuilder<unknown>): Promise<Identities> {
    if (!this.#actual) throw new Error('The identity of the database has not been detected.');
    const query = sql<Identities>`
      select ${first}, ${STORED} as stored, ${this.#actual} as actual, ${OLDEST_SCHEMA} as "oldestSchema"`;
    const [identities] = (await query.execute(db)).rows;
    if (!identities) throw new Error('The database did not return its identity.');
    this.#requireCompatible(identities.oldestSchema);
    return identities;
  }
}

async function isReadable(db: Kysely<Tables>, part: RawBuilder<unknown>): Promise<boolean> {
  try {
    await sql`select ${part}`.execute(db);
    return true;
  } catch (error) {
    const state = sqlStateOf(error);
    if (state === undefined) throw error;
    if (state === IN_RECOVERY) throw toUnavailable(error);
    return false;
  }
}
