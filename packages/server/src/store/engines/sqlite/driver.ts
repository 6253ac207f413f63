import type { DatabaseSync, StatementSync } from 'node:sqlite';
import { setTimeout as sleep } from 'node:timers/promises';
import {
  CompiledQuery,
  type DatabaseConnection,
  type Dialect,
  type Driver,
  type Kysely,
  type QueryResult,
  SqliteAdapter,
  SqliteIntrospector,
  SqliteQueryCompiler,
} from 'kysely';
import { LRUCache } from 'lru-cache';
import type { Failure } from '../../../domain/failure.ts';
import { DATABASE_CONTEXT, type ErrorContext, isBusy, mapErrors } from './unavailable-errors.ts';

/** How long a write may wait for another process to finish its own. */
const WRITE_LOCK_TIMEOUT_MS = 5000;
const WRITE_LOCK_RETRY_MS = 5;

/** The maximum for each kind of statement. The code has fewer; the limit is a precaution. */
const STATEMENTS_KEPT = 250;

/** `immediate` takes the write lock at the start, because a transaction that reads first could fail when it writes. */
type Begin = 'begin' | 'begin immediate';

/** Kysely on `node:sqlite`, with one connection that one user has at a time. */
export class NodeSqliteDialect implements Dialect {
  readonly #connection: SqliteConnection;
  readonly #begin: Begin;

  constructor(connection: SqliteConnection, begin: Begin) {
    this.#connection = connection;
    this.#begin = begin;
  }

  createDriver(): Driver {
    return new NodeSqliteDriver(this.#connection, this.#begin);
  }

  createQueryCompiler(): SqliteQueryCompiler {
    return new SqliteQueryCompiler();
  }

  createAdapter(): SqliteAdapter {
    return new TransactionalDdlAdapter();
  }

  createIntrospector(db: Kysely<unknown>): SqliteIntrospector {
    return new SqliteIntrospector(db);
  }
}

/** SQLite can roll back schema changes, so migrations run in a transaction. */
class TransactionalDdlAdapter extends SqliteAdapter {
  override get supportsTransactionalDdl(): boolean {
    return true;
  }
}

class NodeSqliteDriver implements Driver {
  readonly #connection: SqliteConnection;
  readonly #begin: Begin;
  #released: Promise<void> = Promise.resolve();
  #release: () => void = () => {};

  constructor(connection: SqliteConnection, begin: Begin) {
    this.#connection = connection;
    this.#begin = begin;
  }

  async init(): Promise<void> {}

  async acquireConnection(): Promise<DatabaseConnection> {
    const before = this.#released;
    const { promise, resolve } = Promise.withResolvers<void>();
    this.#released = promise;
    this.#connection.waiting++;
    await before;
    this.#connection.waiting--;
    this.#connection.isUsed = true;
    this.#release = resolve;
    return this.#connection;
  }

  async releaseConnection(): Promise<void> {
    this.#connection.isUsed = false;
    this.#release();
  }

  async beginTransaction(connection: DatabaseConnection): Promise<void> {
    const deadline = performance.now() + WRITE_LOCK_TIMEOUT_MS;
    for (;;) {
      try {
        await connection.executeQuery(CompiledQuery.raw(this.#begin));
        this.#connection.transactionSince = performance.now();
        return;
      } catch (error) {
        // Waiting here and not inside SQLite lets the event loop answer reads.
        if (!isBusy(error) || performance.now() > deadline) throw error;
        await sleep(WRITE_LOCK_RETRY_MS);
      }
    }
  }

  async commitTransaction(connection: DatabaseConnection): Promise<void> {
    await connection.executeQuery(CompiledQuery.raw('commit'));
  }

  /** Some failures, such as a full disk, have already rolled back the transaction. */
  async rollbackTransaction({ database }: SqliteConnection): Promise<void> {
    if (database.isTransaction) database.exec('rollback');
  }

  async destroy(): Promise<void> {
    if (this.#connection.database.isOpen) this.#connection.database.close();
  }
}

interface PreparedStatement {
  statement: StatementSync;
  /** Asked for once, because it takes longer than to execute a simple statement. */
  returnsRows: boolean;
}

/** A connection and the statements that it has prepared. */
export class SqliteConnection implements DatabaseConnection {
  readonly database: DatabaseSync;
  /** How many, in this process, wait until they may use the connection. */
  waiting = 0;
  isUsed = false;
  /** When the last transaction began. */
  transactionSince = 0;
  /** If set, every query fails with this. */
  refusal: Failure | undefined;
  readonly #statements = new LRUCache<string, PreparedStatement>({ max: STATEMENTS_KEPT });
  readonly #arrayStatements = new LRUCache<string, StatementSync>({ max: STATEMENTS_KEPT });
  readonly #context: ErrorContext;

  constructor(database: DatabaseSync, context = DATABASE_CONTEXT) {
    this.database = database;
    this.#context = context;
  }

  /** Runs work directly on the database and maps its errors. */
  mapErrors<T>(work: () => T): T {
    return mapErrors(work, this.#context);
  }

  /** A separate statement, prepared once, that returns its rows as arrays. */
  arrayStatement(sql: string): StatementSync {
    if (this.refusal) throw this.refusal;
    let statement = this.#arrayStatements.get(sql);
    if (!statement) {
      statement = this.database.prepare(sql);
      statement.setReturnArrays(true);
      this.#arrayStatements.set(sql, statement);
    }
    return statement;
  }

  async executeQuery<Row>({ sql, parameters }: CompiledQuery): Promise<QueryResult<Row>> {
    if (this.refusal) throw this.refusal;
    return this.mapErrors(() => {
      const { statement, returnsRows } = this.#prepare(sql);
      const values = parameters as (string | number | null)[];
      if (returnsRows) return { rows: statement.all(...values) as Row[] };
      const { changes } = statement.run(...values);
      return { rows: [], numAffectedRows: BigInt(changes) };
    });
  }

  async *streamQuery<Row>(
    { sql, parameters }: CompiledQuery,
    chunkSize: number,
  ): AsyncIterableIterator<QueryResult<Row>> {
    // Not cached, because another query could restart a cached statement during the iteration.
    const statement = this.database.prepare(sql);
    let rows: Row[] = [];
    for (const row of statement.iterate(...(parameters as (string | number | null)[]))) {
      rows.push(row as Row);
      if (rows.length < chunkSize) continue;
      yield { rows };
      rows = [];
    }
    if (rows.length > 0) yield { rows };
  }

  /** For statements without rows that are executed many times, without the query builder. */
  statement(sql: string): StatementSync {
    return this.#prepare(sql).statement;
  }

  #prepare(sql: string): PreparedStatement {
    let prepared = this.#statements.get(sql);
    if (!prepared) {
      const statement = this.database.prepare(sql);
      prepared = { statement, returnsRows: statement.columns().length > 0 };
      this.#statements.set(sql, prepared);
    }
    return prepared;
  }
}
