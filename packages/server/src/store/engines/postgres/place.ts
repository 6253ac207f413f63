import { type Kysely, type RawBuilder, sql, type Transaction } from 'kysely';
import { isTooNew, leftBehind, OLDEST_SCHEMA } from '../../compatibility.ts';
import { INSTALLATION_ID, settle } from '../../installation.ts';
import type { Tables } from '../../tables.ts';
import type { HearTrouble } from '../trouble.ts';
import { CHANNEL } from './change-notices.ts';
import { stateOf, unavailable } from './failures.ts';

/**
 * What tells a database from a copy, a restored or a promoted one: which cluster, which database in it, and which timeline,
 * that is, how often its history has forked. The timeline is that of what is being written; the one in the last checkpoint
 * lags behind a promotion.
 */
const PARTS = [
  sql`(select system_identifier from pg_control_system())`,
  sql`(select oid from pg_database where datname = current_database())`,
  sql`substr(pg_walfile_name(pg_current_wal_lsn()), 1, 8)`,
];

/** Before anything else in its statement: a replica refuses it as it refuses every write. */
const ANNOUNCE = sql`pg_notify(${CHANNEL}, '')`;

/** What a replica says to a question about what is being written. */
const IN_RECOVERY = '55000';

/** Says that a transaction was not to be committed, because the database is not where it was. */
export class Moved extends Error {}

interface Places {
  stored: string | null;
  actual: string;
  oldestSchema: number | null;
}

const STORED = sql`(select place from installation where id = ${sql.lit(INSTALLATION_ID)})`;

/** Where the database is, compared with where it says that it is; and whether it is still one for this program. */
export class PostgresPlace {
  readonly #onLeftBehind: HearTrouble;
  /** What this user may read of it; to be learnt before it is used. */
  #actual: RawBuilder<string> | undefined;

  constructor(onLeftBehind: HearTrouble) {
    this.#onLeftBehind = onLeftBehind;
  }

  /** Without the parts that a managed server keeps to itself: what remains still tells most places apart. */
  async learn(db: Kysely<Tables>): Promise<void> {
    if (this.#actual) return;
    const parts = [];
    for (const part of PARTS) parts.push((await isReadable(db, part)) ? part : sql`''`);
    this.#actual = sql<string>`concat_ws(':', ${sql.join(parts)})`;
  }

  /** Makes the database's row, or a new epoch, if need be. */
  async settle(db: Kysely<Tables>): Promise<void> {
    await this.learn(db);
    const { stored, actual } = await this.#compare(db, sql`null`);
    if (stored === actual) return;
    await db.transaction().execute(async (transaction) => {
      await settle(transaction, actual);
      await sql`select ${ANNOUNCE}`.execute(transaction);
    });
  }

  /**
   * Announces a change, at the end of its transaction, and refuses it when the database has moved: a promoted or restored
   * server has the epoch of the one whose data it has, and what it is told from now on is a history of its own. Until the
   * first write nothing is wrong, since a past with the same versions had the same data. Refuses it, too, when the schema
   * has become one that this program does not know how to write to.
   */
  async announce(db: Transaction<Tables>): Promise<void> {
    const { stored, actual } = await this.#compare(db, ANNOUNCE);
    if (stored !== actual) throw new Moved('The database is not where it was.');
  }

  async requireCompatible(db: Kysely<Tables>): Promise<void> {
    const { rows } = await sql<Pick<Places, 'oldestSchema'>>`select ${OLDEST_SCHEMA} as "oldestSchema"`.execute(db);
    this.#requireCompatible(rows[0]?.oldestSchema);
  }

  #requireCompatible(oldestSchema: number | null | undefined): void {
    if (!isTooNew(oldestSchema)) return;
    const refusal = leftBehind(oldestSchema);
    this.#onLeftBehind(refusal);
    throw refusal;
  }

  async #compare(db: Kysely<Tables>, beforehand: RawBuilder<unknown>): Promise<Places> {
    if (!this.#actual) throw new Error('Nobody has learnt where the database is.');
    const query = sql<Places>`
      select ${beforehand}, ${STORED} as stored, ${this.#actual} as actual, ${OLDEST_SCHEMA} as "oldestSchema"`;
    const [places] = (await query.execute(db)).rows;
    if (!places) throw new Error('The database did not say where it is.');
    this.#requireCompatible(places.oldestSchema);
    return places;
  }
}

async function isReadable(db: Kysely<Tables>, part: RawBuilder<unknown>): Promise<boolean> {
  try {
    await sql`select ${part}`.execute(db);
    return true;
  } catch (error) {
    const state = stateOf(error);
    if (state === undefined) throw error;
    if (state === IN_RECOVERY) throw unavailable(error);
    return false;
  }
}
