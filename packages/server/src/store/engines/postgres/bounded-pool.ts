import type { PostgresPool } from 'kysely';
import { type Client, Pool, type PoolClient, TypeOverrides } from 'pg';
import type { DatabaseUnavailable, UnavailableListener } from '../database-unavailable.ts';
import type { PoolUse } from '../engine.ts';
import { BoundedClient } from './bounded-client.ts';
import { newDriverClient } from './driver-client.ts';
import type { ServerLimits } from './session-limits.ts';
import { isPreparedNameError, toUnavailable } from './unavailable-errors.ts';

/** How long a caller may wait, so that a server that has stopped answering delays it only for a limited time. */
export interface Timeouts {
  /** For a connection, whether it is new or the pool is busy. */
  connectionMs: number;
  /** For the answer to one statement. */
  statementMs: number;
  /** For the next statement of a transaction. A node that lost its connection holds its locks no longer than this. */
  idleInTransactionMs: number;
  /** How long a connection that nobody uses is kept. Zero means that it is kept for as long as a connection lives. */
  unusedMs?: number;
}

/** A request fails within two seconds if the database is gone, because it waits for at most one connection and one statement. */
export const REQUEST_TIMEOUTS: Timeouts = { connectionMs: 700, statementMs: 1200, idleInTransactionMs: 10_000 };

/** For long reads. The caller may take long to receive the data, but a single statement may not take long. */
export const LONG_READ_TIMEOUTS: Timeouts = {
  connectionMs: 5000,
  statementMs: 30_000,
  idleInTransactionMs: 10 * 60_000,
};

/** For commands and migrations, which may run for a long time. */
export const COMMAND_TIMEOUTS: Timeouts = {
  connectionMs: 5000,
  statementMs: 60 * 60_000,
  idleInTransactionMs: 10 * 60_000,
};

/** The server times out a little earlier than the client, so that its error usually still arrives. */
const SERVER_TIMEOUT_LEAD_MS = 100;
const IDLE_TIMEOUT_MS = 30_000;
const KEEP_ALIVE_MS = 10_000;
/** Connections are closed after this time, so that the load is distributed again after a failover or with a new replica. */
const LIFETIME_SECONDS = 1800;

const INT8 = 20;
const NUMERIC = 1700;

/** All numbers that are stored, counted or summed are integers below 2^53. */
const types = new TypeOverrides();
types.setTypeParser(INT8, Number);
types.setTypeParser(NUMERIC, Number);

/** Somebody who waits for a connection. */
interface Waiting {
  resolve(client: PoolClient): void;
  reject(error: unknown): void;
  /** When the pool gives up opening or finding the connection that it was asked for. */
  until: number;
  /** Ends the wait at that time if somebody else has got that connection. */
  timer?: NodeJS.Timeout;
}

/** A pool in which every wait has a timeout and every error is mapped to a failure. */
export class BoundedPool implements PostgresPool {
  readonly options = {};
  readonly #pool: Pool;
  readonly #connectionMs: number;
  readonly #statementMs: number;
  readonly #limits: ServerLimits;
  readonly #report: UnavailableListener;
  /** In the order in which they came. */
  readonly #waiting = new Set<Waiting>();
  /** How many connections the pool was asked for and has neither given nor refused. Never fewer than are waited for. */
  #asked = 0;
  /** If set, every query fails with this. */
  refusal: DatabaseUnavailable | undefined;
  #usesNames = true;

  constructor(url: string, size: number, timeouts: Timeouts, report: UnavailableListener = () => {}) {
    this.#connectionMs = timeouts.connectionMs;
    this.#statementMs = timeouts.statementMs;
    this.#limits = { ...timeouts, statementMs: timeouts.statementMs - SERVER_TIMEOUT_LEAD_MS };
    this.#report = report;
    this.#pool = new Pool({
      connectionString: url,
      application_name: 'rollcall',
      max: size,
      Client: newDriverClient as unknown as new () => Client,
      types,
      connectionTimeoutMillis: timeouts.connectionMs,
      idleTimeoutMillis: timeouts.unusedMs ?? IDLE_TIMEOUT_MS,
      maxLifetimeSeconds: LIFETIME_SECONDS,
      keepAlive: true,
      keepAliveInitialDelayMillis: KEEP_ALIVE_MS,
      allowExitOnIdle: true,
    });
    // A connection that fails while nobody uses it is replaced when needed. Without a listener, its error would end the process.
    this.#pool.on('error', () => {});
    // The pool stops listening when it hands out a connection, and its user begins to listen a moment later. A server that is
    // shut down may send its farewell in the same packet with which it accepts the connection.
    this.#pool.on('connect', (client) => void client.on('error', () => {}));
    // When the pool has taken it back.
    this.#pool.on('release', () => this.#waiting.size > 0 && process.nextTick(() => this.#handOutIdle()));
  }

  /** Whether somebody waits for a connection, because all of them are in use. */
  get isAwaited(): boolean {
    return this.#waiting.size > 0 && this.#pool.waitingCount > 0;
  }

  /** `pool` says what it is for. */
  use(pool: string): PoolUse {
    const { totalCount, idleCount, options } = this.#pool;
    return { pool, used: totalCount - idleCount, idle: idleCount, waiting: this.#waiting.size, max: options.max };
  }

  async connect(): Promise<BoundedClient> {
    if (this.refusal) throw this.refusal;
    try {
      return new BoundedClient(await this.#nextClient(), this.#statementMs, this.#limits, this.#report);
    } catch (error) {
      // Every error here means that there is no connection: a full queue, an expired certificate and so on.
      const failure = toUnavailable(error);
      this.#report(failure);
      throw failure;
    }
  }

  /**
   * The pool opens a connection for whoever finds none idle, and lets them wait for that one. On a busy machine this takes longer
   * than a statement, so whichever is there first goes to whoever has waited longest.
   */
  #nextClient(): Promise<PoolClient> {
    const { promise, resolve, reject } = Promise.withResolvers<PoolClient>();
    const waiting = { resolve, reject, until: performance.now() + this.#connectionMs };
    this.#waiting.add(waiting);
    this.#ask(waiting);
    return promise;
  }

  #ask(asker?: Waiting): void {
    this.#asked++;
    // What the pool throws at once is handled like a connection that cannot be opened.
    const connect = async () => this.#pool.connect();
    connect().then(
      (client) => this.#handOut(client, asker),
      (error) => this.#handleRefusal(error, asker),
    );
  }

  #handOut(client: PoolClient, asker?: Waiting): void {
    this.#asked--;
    const [longest] = this.#waiting;
    if (!longest) {
      client.release();
      return;
    }
    this.#endWait(longest);
    longest.resolve(client);
    // They rely on what the pool was asked for earlier. If that fails it is asked again, and may then take longer than they can wait.
    if (asker && this.#waiting.has(asker)) asker.timer ??= this.#endInTime(asker);
  }

  #handleRefusal(error: unknown, asker?: Waiting): void {
    this.#asked--;
    if (asker && this.#waiting.has(asker)) {
      this.#endWait(asker);
      asker.reject(error);
      return;
    }
    // The asker has got the connection of another.
    const [longest] = this.#waiting;
    if (this.#asked < this.#waiting.size) this.#ask(longest);
  }

  #endInTime(waiting: Waiting): NodeJS.Timeout {
    const end = () => {
      this.#endWait(waiting);
      waiting.reject(new Error('timeout exceeded when trying to connect'));
    };
    return setTimeout(end, Math.max(0, waiting.until - performance.now()));
  }

  #endWait(waiting: Waiting): void {
    this.#waiting.delete(waiting);
    clearTimeout(waiting.timer);
  }

  /** If the pool has one that is idle and not yet promised, whoever still waits is waiting for one that is being opened. */
  #handOutIdle(): void {
    if (this.#waiting.size > 0 && this.#pool.idleCount > this.#pool.waitingCount) this.#ask();
  }

  /**
   * Opens the first connection, which then stays in the pool. It must be called before the pool is used otherwise, because
   * its timeout applies to the whole pool while it runs.
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
   * Runs a statement that each connection prepares once under its name. Behind a pooler that shares server connections, the
   * name may be missing or already taken on a connection. From then on, statements are run without names.
   */
  async runPrepared(name: string, text: string, parameters: readonly unknown[]): Promise<unknown[][]> {
    const client = await this.connect();
    try {
      if (this.#usesNames) return await client.runPrepared(name, text, parameters);
      return await client.runUnnamed(text, parameters);
    } catch (error) {
      if (!isPreparedNameError(error)) throw error;
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
