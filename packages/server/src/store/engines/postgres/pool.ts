import type { PostgresPool } from 'kysely';
import { Pool, TypeOverrides } from 'pg';
import type { HearTrouble, Trouble } from '../trouble.ts';
import { BoundedClient } from './client.ts';
import { isAboutName, unavailable } from './failures.ts';
import type { ServerLimits } from './session.ts';

/** How long a caller may be kept waiting. Together they bound what a server that has stopped answering costs. */
export interface Patience {
  /** For a connection, be it a new one or a turn in the queue of a busy pool. */
  connectionMs: number;
  /** For the answer to one statement. */
  statementMs: number;
  /** For the next statement of a transaction. A node that was cut off holds its locks no longer than this. */
  idleInTransactionMs: number;
}

/** A request hears within two seconds that the database is gone: at most one of each can be spent on it. */
export const SERVING: Patience = { connectionMs: 700, statementMs: 1200, idleInTransactionMs: 10_000 };

/** Whoever reads at length for a request is given time to take what was read, but no statement of it takes long. */
export const READING: Patience = { connectionMs: 5000, statementMs: 30_000, idleInTransactionMs: 10 * 60_000 };

/** A person who runs a command, or a migration, waits for work and not for a caller's deadline. */
export const WORKING: Patience = { connectionMs: 5000, statementMs: 60 * 60_000, idleInTransactionMs: 10 * 60_000 };

/** The server gives up a little earlier than we do, so that what it says is usually still heard. */
const SERVER_GIVES_UP_EARLIER_MS = 100;
const IDLE_TIMEOUT_MS = 30_000;
const KEEP_ALIVE_MS = 10_000;
/** A connection does not outlive this, so that after a failover or a new replica the load spreads again. */
const LIFETIME_SECONDS = 1800;

const INT8 = 20;
const NUMERIC = 1700;

/** Every number we store, count or sum is a whole one below 2^53. */
const types = new TypeOverrides();
types.setTypeParser(INT8, Number);
types.setTypeParser(NUMERIC, Number);

/** A pool in which every wait is bounded and every error is explained. */
export class BoundedPool implements PostgresPool {
  readonly options = {};
  readonly #pool: Pool;
  readonly #statementMs: number;
  readonly #limits: ServerLimits;
  readonly #tell: HearTrouble;
  /** Why nothing may be asked of the server any more, if that is so. */
  refusal: Trouble | undefined;
  #usesNames = true;

  constructor(url: string, size: number, patience: Patience, tell: HearTrouble = () => {}) {
    this.#statementMs = patience.statementMs;
    this.#limits = { ...patience, statementMs: patience.statementMs - SERVER_GIVES_UP_EARLIER_MS };
    this.#tell = tell;
    this.#pool = new Pool({
      connectionString: url,
      application_name: 'rollcall',
      max: size,
      types,
      connectionTimeoutMillis: patience.connectionMs,
      idleTimeoutMillis: IDLE_TIMEOUT_MS,
      maxLifetimeSeconds: LIFETIME_SECONDS,
      keepAlive: true,
      keepAliveInitialDelayMillis: KEEP_ALIVE_MS,
      allowExitOnIdle: true,
    });
    // An idle connection that dies is replaced when the next one is asked for; unheard, it would end the process.
    this.#pool.on('error', () => {});
  }

  async connect(): Promise<BoundedClient> {
    if (this.refusal) throw this.refusal;
    try {
      return new BoundedClient(await this.#pool.connect(), this.#statementMs, this.#limits, this.#tell);
    } catch (error) {
      // Whatever keeps us from a connection (a full queue, a certificate that expired), there is none.
      const trouble = unavailable(error);
      this.#tell(trouble);
      throw trouble;
    }
  }

  /**
   * Opens the first connection and keeps it for whoever is first to need it. Called before anybody else uses the pool:
   * while it runs, its patience is everybody's.
   */
  async openFirst(connectionMs: number): Promise<void> {
    const { options } = this.#pool;
    const usual = options.connectionTimeoutMillis;
    options.connectionTimeoutMillis = connectionMs;
    try {
      const client = await this.connect();
      client.release();
    } finally {
      options.connectionTimeoutMillis = usual;
    }
  }

  /**
   * Runs a statement that each connection prepares once, under its name. Behind a pooler that hands server connections
   * around, a name may be missing, or taken already, on the one we get; then statements go without names from there on.
   */
  async runPrepared(name: string, text: string, parameters: readonly unknown[]): Promise<unknown[][]> {
    const client = await this.connect();
    try {
      if (this.#usesNames) return await client.runPrepared(name, text, parameters);
      return await client.runUnnamed(text, parameters);
    } catch (error) {
      if (!isAboutName(error)) throw error;
      this.#usesNames = false;
      return await client.runUnnamed(text, parameters);
    } finally {
      client.release();
    }
  }

  end(): Promise<void> {
    return this.#pool.end();
  }
}
