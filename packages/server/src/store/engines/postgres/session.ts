import type { PoolClient } from 'pg';

/** How long the server lets things take, in milliseconds. */
export interface ServerLimits {
  statementMs: number;
  idleInTransactionMs: number;
}

const BEGIN = /^(begin|start transaction)\b/;
const END = /^(commit|rollback)$/;

const sessions = new WeakMap<PoolClient, PostgresSession>();

/** The session of a connection, which lasts as long as the connection does. */
export function sessionOf(client: PoolClient, limits: ServerLimits): PostgresSession {
  const session = sessions.get(client) ?? new PostgresSession(client, limits);
  sessions.set(client, session);
  return session;
}

/**
 * Makes the server keep to the limits. A session that is ours alone is told once. Behind a pooler, what one of its clients
 * sets may stay with a connection that the next one gets, so there every transaction brings its own limits, and a statement
 * by itself becomes one (decision 71).
 */
class PostgresSession {
  readonly #client: PoolClient;
  readonly #limits: Record<string, number>;
  #isOurs: boolean | undefined;
  #isInTransaction = false;

  constructor(client: PoolClient, { statementMs, idleInTransactionMs }: ServerLimits) {
    this.#client = client;
    this.#limits = { statement_timeout: statementMs, idle_in_transaction_session_timeout: idleInTransactionMs };
  }

  /** Runs a statement within the limits; `ask` sends it. */
  async run<T>(text: string, ask: () => Promise<T>): Promise<T> {
    this.#isOurs ??= await this.#introduce();
    if (this.#isOurs) return ask();
    if (BEGIN.test(text)) return (await this.#begin(text)) as T;
    if (END.test(text)) return this.#end(ask);
    return this.#isInTransaction ? ask() : this.#alone(ask);
  }

  /**
   * Whether the process that greeted us is the one that works for us, which a pooler has no reason to pretend: it greets
   * its clients itself. Only then is the session told of its limits, by the same statement.
   */
  async #introduce(): Promise<boolean> {
    const { processID } = this.#client as PoolClient & { processID?: number | null };
    const set = Object.entries(this.#limits).map(([name, value]) => `set_config('${name}', '${value}', false)`);
    const { rows } = await this.#client.query<{ ours: string | null }>(
      `select case when pg_backend_pid() = ${processID ?? 0} then ${set.join(' || ')} end as ours`,
    );
    return rows[0]?.ours !== null;
  }

  /** One round trip: a statement of several parts gives a result for each. */
  async #begin(text: string): Promise<unknown> {
    const set = Object.entries(this.#limits).map(([name, value]) => `set local ${name} = ${value}`);
    const results: unknown = await this.#client.query([text, ...set].join('; '));
    this.#isInTransaction = true;
    return Array.isArray(results) ? results[0] : results;
  }

  async #end<T>(ask: () => Promise<T>): Promise<T> {
    this.#isInTransaction = false;
    return ask();
  }

  async #alone<T>(ask: () => Promise<T>): Promise<T> {
    await this.#begin('begin');
    try {
      const result = await ask();
      await this.#end(() => this.#client.query('commit'));
      return result;
    } catch (error) {
      // What went wrong is the news. When this fails, too, the connection is broken, and known to be.
      await this.#end(() => this.#client.query('rollback')).catch(() => {});
      throw error;
    }
  }
}
