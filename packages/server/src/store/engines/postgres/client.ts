import type { PostgresCursor, PostgresPoolClient, PostgresQueryResult } from 'kysely';
import type { PoolClient } from 'pg';
import { type HearTrouble, Trouble } from '../trouble.ts';
import { isCopy, runCopy } from './copy-rows.ts';
import { endsConnection, explained, unavailable } from './failures.ts';
import { type ServerLimits, sessionOf } from './session.ts';

/**
 * How long a prepared statement is used. The server makes a new plan by itself only once it has counted the rows again, a
 * minute or more after an import has turned a small table into a large one.
 */
const PREPARED_FOR_MS = 5000;

/** The statements that a connection has prepared since some moment, by a number that goes into their names. */
interface Generation {
  number: number;
  since: number;
}

const generations = new WeakMap<PoolClient, Generation>();

/** A connection in use. Once it has failed, everything else that is asked of it fails at once. */
export class BoundedClient implements PostgresPoolClient {
  readonly #client: PoolClient;
  readonly #session: ReturnType<typeof sessionOf>;
  readonly #timeoutMs: number;
  readonly #tell: HearTrouble;
  #broken: unknown;

  constructor(client: PoolClient, timeoutMs: number, limits: ServerLimits, tell: HearTrouble) {
    this.#tell = tell;
    this.#client = client;
    this.#session = sessionOf(client, limits);
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
    const ask = (): Promise<unknown> =>
      isCopy(query) ? runCopy(this.#client, query, parameters) : this.#client.query(query, [...parameters]);
    return this.#bounded(query, ask) as Promise<PostgresQueryResult<Row>>;
  }

  release(discard = false): void {
    this.#client.off('error', this.#onError);
    this.#client.release(discard || this.#broken !== undefined);
  }

  async runPrepared(name: string, text: string, values: readonly unknown[]): Promise<unknown[][]> {
    return this.#rows({ name: `${name}_${await this.#generation()}`, text, values: [...values] });
  }

  /** The same without a name: parsed and planned for this once. */
  runUnnamed(text: string, values: readonly unknown[]): Promise<unknown[][]> {
    return this.#rows({ text, values: [...values] });
  }

  async #rows(query: { name?: string; text: string; values: unknown[] }): Promise<unknown[][]> {
    const ask = () => this.#client.query<unknown[]>({ ...query, rowMode: 'array' });
    const { rows } = await this.#bounded(query.text, ask);
    return rows;
  }

  /** Forgets the statements of an older one: their new plans would be held against the costs of their first ones. */
  async #generation(): Promise<number> {
    const now = performance.now();
    const current = generations.get(this.#client);
    if (current && now - current.since < PREPARED_FOR_MS) return current.number;
    const number = (current?.number ?? 0) + 1;
    generations.set(this.#client, { number, since: now });
    if (current) await this.query('deallocate all', []);
    return number;
  }

  async #bounded<T>(text: string, ask: () => Promise<T>): Promise<T> {
    if (this.#broken) throw unavailable(this.#broken);
    const { promise: overdue, reject } = Promise.withResolvers<never>();
    const timer = setTimeout(() => reject(new Error('timeout exceeded when waiting for an answer')), this.#timeoutMs);
    try {
      return await Promise.race([this.#session.run(text, ask), overdue]);
    } catch (error) {
      if (endsConnection(error)) this.#broken = error;
      const failure = explained(error);
      if (failure instanceof Trouble) this.#tell(failure);
      throw failure;
    } finally {
      clearTimeout(timer);
    }
  }

  readonly #onError = (error: Error): void => {
    this.#broken = error;
  };
}
