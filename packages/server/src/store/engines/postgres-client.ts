import type { PostgresCursor, PostgresPoolClient, PostgresQueryResult } from 'kysely';
import type { PoolClient } from 'pg';
import { endsConnection, explained, unavailable } from './postgres-failures.ts';

/**
 * How long the plan of a prepared statement is used. The server makes a new one by itself only once it has counted the
 * rows again, a minute or more after an import has turned a small table into a large one.
 */
const PLANS_KEPT_MS = 5000;

/** Since when a connection has the plans that it has. */
const plansSince = new WeakMap<PoolClient, number>();

/** A connection in use. Once it has failed, everything else that is asked of it fails at once. */
export class BoundedClient implements PostgresPoolClient {
  readonly #client: PoolClient;
  readonly #timeoutMs: number;
  #broken: unknown;

  constructor(client: PoolClient, timeoutMs: number) {
    this.#client = client;
    this.#timeoutMs = timeoutMs;
    client.on('error', this.#onError);
  }

  query<Row>(sql: string, parameters: readonly unknown[]): Promise<PostgresQueryResult<Row>>;
  query<Row>(cursor: PostgresCursor<Row>): PostgresCursor<Row>;
  query<Row>(
    query: string | PostgresCursor<Row>,
    parameters: readonly unknown[] = [],
  ): Promise<PostgresQueryResult<Row>> | PostgresCursor<Row> {
    if (typeof query !== 'string') throw new Error('Nothing here reads by cursor.');
    const ask = () => this.#client.query(query, [...parameters]) as Promise<unknown>;
    return this.#bounded(ask) as Promise<PostgresQueryResult<Row>>;
  }

  release(discard = false): void {
    this.#client.off('error', this.#onError);
    this.#client.release(discard || this.#broken !== undefined);
  }

  async runPrepared(name: string, text: string, values: readonly unknown[]): Promise<unknown[][]> {
    await this.#forgetOldPlans();
    const { rows } = await this.#bounded(() =>
      this.#client.query<unknown[]>({ name, text, values: [...values], rowMode: 'array' }),
    );
    return rows;
  }

  async #forgetOldPlans(): Promise<void> {
    const now = performance.now();
    const plannedAt = plansSince.get(this.#client);
    if (plannedAt !== undefined && now - plannedAt < PLANS_KEPT_MS) return;
    plansSince.set(this.#client, now);
    if (plannedAt !== undefined) await this.query('discard plans', []);
  }

  async #bounded<T>(ask: () => Promise<T>): Promise<T> {
    if (this.#broken) throw unavailable(this.#broken);
    const { promise: overdue, reject } = Promise.withResolvers<never>();
    const timer = setTimeout(() => reject(new Error('timeout exceeded when waiting for an answer')), this.#timeoutMs);
    try {
      return await Promise.race([ask(), overdue]);
    } catch (error) {
      if (endsConnection(error)) this.#broken = error;
      throw explained(error);
    } finally {
      clearTimeout(timer);
    }
  }

  readonly #onError = (error: Error): void => {
    this.#broken = error;
  };
}
