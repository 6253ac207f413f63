import type { PoolClient } from 'pg';

/** The timeouts that the server enforces, in milliseconds. */
export interface ServerLimits {
  statementMs: number;
  idleInTransactionMs: number;
}

const BEGIN = /^(begin|start transaction)\b/;
const END = /^(commit|rollback)$/;

const sessions = new WeakMap<PoolClient, PostgresSession>();

/** Returns the session of a connection, which is the same for as long as the connection exists. */
export function sessionOf(client: PoolClient, limits: ServerLimits): PostgresSession {
  const session = sessions.get(client) ?? new PostgresSession(client, limits);
  sessions.set(client, session);
  return session;
}

/**
 * Sets the timeouts of the server. On a direct connection they are set once for the session. Behind a pooler, another client
 * might get the same session, so every transaction sets its own timeouts, and a single statement becomes a transaction
 * (decision 71).
 */
class PostgresSession {
  readonly #client: PoolClient;
  readonly #limits: Record<string, number>;
  #isDirect: boolean | undefined;
  #isInTransaction = false;

  constructor(client: PoolClient, { statementMs, idleInTransactionMs }: ServerLimits) {
    this.#client = client;
    this.#limits = { statement_timeout: statementMs, idle_in_transaction_session_timeout: idleInTransactionMs };
  }

  /** Whether the server process belongs to this connection alone. Known once a statement is being sent. */
  get isDirect(): boolean {
    return this.#isDirect ?? false;
  }

  /** Runs a statement with the timeouts set; `send` sends it. */
  async run<T>(text: string, send: () => Promise<T>): Promise<T> {
    this.#isDirect ??= await this.#setSessionLimits();
    if (this.#isDirect) return send();
    if (BEGIN.test(text)) return (await this.#begin(text)) as T;
    if (END.test(text)) return this.#end(send);
    return this.#isInTransaction ? send() : this.#runInTransaction(send);
  }

  /**
   * Returns whether the connection is direct: the server process that runs the statement is then the one that accepted the
   * connection, which a pooler does itself. If so, the same statement sets the timeouts of the session.
   */
  async #setSessionLimits(): Promise<boolean> {
    const { processID } = this.#client as PoolClient & { processID?: number | null };
    const set = Object.entries(this.#limits).map(([name, value]) => `set_config('${name}', '${value}', false)`);
    const { rows } = await this.#client.query<{ settings: string | null }>(
      `select case when pg_backend_pid() = ${processID ?? 0} then ${set.join(' || ')} end as settings`,
    );
    return rows[0]?.settings !== null;
  }

  /** Begins the transaction and sets its timeouts in one round trip, which returns one result per statement. */
  async #begin(text: string): Promise<unknown> {
    const set = Object.entries(this.#limits).map(([name, value]) => `set local ${name} = ${value}`);
    const results: unknown = await this.#client.query([text, ...set].join('; '));
    this.#isInTransaction = true;
    return Array.isArray(results) ? results[0] : results;
  }

  async #end<T>(send: () => Promise<T>): Promise<T> {
    this.#isInTransaction = false;
    return send();
  }

  async #runInTransaction<T>(send: () => Promise<T>): Promise<T> {
    await this.#begin('begin');
    try {
      const result = await send();
      await this.#end(() => this.#client.query('commit'));
      return result;
    } catch (error) {
      // The first error is the one to report. If the rollback fails too, the connection is already known to be broken.
      await this.#end(() => this.#client.query('rollback')).catch(() => {});
      throw error;
    }
  }
}
