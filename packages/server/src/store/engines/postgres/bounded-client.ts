import type { PostgresCursor, PostgresPoolClient, PostgresQueryResult } from 'kysely';
import type { PoolClient } from 'pg';
import { DatabaseUnavailable, type UnavailableListener } from '../database-unavailable.ts';
import { isCopy, runCopy } from './copy-rows.ts';
import { type ServerLimits, sessionOf } from './session-limits.ts';
import { statementName } from './sql-fragments.ts';
import { endsConnection, mapError, toUnavailable } from './unavailable-errors.ts';

/**
 * How long a prepared statement is used. The server makes a new plan only after it has analyzed the table, which may be a
 * minute or more after an import has made a small table large.
 */
const PREPARED_FOR_MS = 5000;

/** Only changes begin like this; reads of several statements begin with their isolation level. */
const BEGIN = /^begin$/;
const END = /^(commit|rollback)$/;

/** Within the columns that the statement returns. */
const ALL_COLUMNS = /^\s*select\b(?:(?!\bfrom\b).)*[\s.]\*|\breturning\b.*\*/s;

/** The statements that a connection has prepared since a certain time. The number is part of their names. */
interface Generation {
  number: number;
  since: number;
}

const generations = new WeakMap<PoolClient, Generation>();

/** A connection in use. Once it has failed, all further queries fail immediately. */
export class BoundedClient implements PostgresPoolClient {
  readonly #client: PoolClient;
  readonly #session: ReturnType<typeof sessionOf>;
  readonly #timeoutMs: number;
  readonly #report: UnavailableListener;
  #broken: unknown;
  #isWriting = false;

  constructor(client: PoolClient, timeoutMs: number, limits: ServerLimits, report: UnavailableListener) {
    this.#report = report;
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
    if (typeof query !== 'string') throw new Error('Cursors are not supported.');
    return this.#bounded(query, () => this.#send(query, [...parameters])) as Promise<PostgresQueryResult<Row>>;
  }

  async #send(text: string, values: unknown[]): Promise<unknown> {
    if (isCopy(text)) return runCopy(this.#client, text, values);
    if (BEGIN.test(text)) this.#isWriting = true;
    if (END.test(text)) this.#isWriting = false;
    if (!this.#isPrepared(text, values)) return this.#client.query(text, values);
    return this.#client.query({ name: `${statementName(text)}_${await this.#generation()}`, text, values });
  }

  /**
   * Planning takes longer than most statements of a change, so these are prepared (decision 37). The server refuses to run a
   * prepared statement that returns all columns of a table to which another one was added. Behind a pooler, a name may be
   * missing, which would fail the transaction.
   */
  #isPrepared(text: string, values: readonly unknown[]): boolean {
    return this.#isWriting && this.#session.isDirect && values.length > 0 && !ALL_COLUMNS.test(text);
  }

  release(discard = false): void {
    this.#client.off('error', this.#onError);
    this.#client.release(discard || this.#broken !== undefined);
  }

  async runPrepared(name: string, text: string, values: readonly unknown[]): Promise<unknown[][]> {
    return this.#rows({ name: `${name}_${await this.#generation()}`, text, values: [...values] });
  }

  /** The same without a name: the statement is parsed and planned every time. */
  runUnnamed(text: string, values: readonly unknown[]): Promise<unknown[][]> {
    return this.#rows({ text, values: [...values] });
  }

  async #rows(query: { name?: string; text: string; values: unknown[] }): Promise<unknown[][]> {
    const send = () => this.#client.query<unknown[]>({ ...query, rowMode: 'array' });
    const { rows } = await this.#bounded(query.text, send);
    return rows;
  }

  /** Deallocates the statements of an older generation, because the server would compare new plans with the costs of the old ones. */
  async #generation(): Promise<number> {
    const now = performance.now();
    const current = generations.get(this.#client);
    if (current && now - current.since < PREPARED_FOR_MS) return current.number;
    const number = (current?.number ?? 0) + 1;
    generations.set(this.#client, { number, since: now });
    if (current) {
      await this.query('deallocate all', []);
      // The driver remembers the texts for as long as the connection exists, which would be many megabytes.
      (this.#client as PoolClient & { connection: { parsedStatements: object } }).connection.parsedStatements = {};
    }
    return number;
  }

  async #bounded<T>(text: string, send: () => Promise<T>): Promise<T> {
    if (this.#broken) throw toUnavailable(this.#broken);
    const { promise: overdue, reject } = Promise.withResolvers<never>();
    const giveUp = () => reject(new Error('timeout exceeded when waiting for an answer'));
    // When this process was held up, the answer may have arrived in time, and is read before the next turn.
    const timer = setTimeout(() => setImmediate(giveUp), this.#timeoutMs);
    try {
      return await Promise.race([this.#session.run(text, send), overdue]);
    } catch (error) {
      if (endsConnection(error)) this.#broken = error;
      const failure = mapError(error);
      if (failure instanceof DatabaseUnavailable) this.#report(failure);
      throw failure;
    } finally {
      clearTimeout(timer);
    }
  }

  readonly #onError = (error: Error): void => {
    this.#broken = error;
  };
}
