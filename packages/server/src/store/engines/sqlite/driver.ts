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
import { A_DATABASE, explaining, isBusy, type Subject } from './failures.ts';

/** How long a write may wait for another process to finish its own. */
const WRITE_LOCK_TIMEOUT_MS = 5000;
const WRITE_LOCK_RETRY_MS = 5;

/** Of each kind. More than the code has different statements; the bound is for the day it does not. */
const STATEMENTS_KEPT = 250;

/** `immediate` takes the write lock at once: a transaction that reads first and writes later could fail half way. */
type Begin = 'begin' | 'begin immediate';

/** Kysely over `node:sqlite`: one connection, handed to one user at a time. */
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

/** SQLite can roll a schema change back; migrations should therefore run in a transaction. */
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
    await before;
    this.#release = resolve;
    return this.#connection;
  }

  async releaseConnection(): Promise<void> {
    this.#release();
  }

  async beginTransaction(connection: DatabaseConnection): Promise<void> {
    const deadline = performance.now() + WRITE_LOCK_TIMEOUT_MS;
    for (;;) {
      try {
        await connection.executeQuery(CompiledQuery.raw(this.#begin));
        return;
      } catch (error) {
        // Waiting here and not inside SQLite keeps the event loop free to answer reads.
        if (!isBusy(error) || performance.now() > deadline) throw error;
        await sleep(WRITE_LOCK_RETRY_MS);
      }
    }
  }

  async commitTransaction(connection: DatabaseConnection): Promise<void> {
    await connection.executeQuery(CompiledQuery.raw('commit'));
  }

  /** Some failures (a full disk, say) have already rolled the transaction back by themselves. */
  async rollbackTransaction({ database }: SqliteConnection): Promise<void> {
    if (database.isTransaction) database.exec('rollback');
  }

  async destroy(): Promise<void> {
    if (this.#connection.database.isOpen) this.#connection.database.close();
  }
}

/** A connection and the statements that it has prepared. */
export class SqliteConnection implements DatabaseConnection {
  readonly database: DatabaseSync;
  /** Why nothing may be asked of it any more, if that is so. */
  refusal: Failure | undefined;
  readonly #statements = new LRUCache<string, StatementSync>({ max: STATEMENTS_KEPT });
  readonly #arrays = new LRUCache<string, StatementSync>({ max: STATEMENTS_KEPT });
  readonly #subject: Subject;

  constructor(database: DatabaseSync, subject = A_DATABASE) {
    this.database = database;
    this.#subject = subject;
  }

  /** Work on the database itself, whose failures are explained. */
  explaining<T>(work: () => T): T {
    return explaining(work, this.#subject);
  }

  /** A statement of its own, prepared once, that gives its rows as arrays. */
  arrays(sql: string): StatementSync {
    if (this.refusal) throw this.refusal;
    let statement = this.#arrays.get(sql);
    if (!statement) {
      statement = this.database.prepare(sql);
      statement.setReturnArrays(true);
      this.#arrays.set(sql, statement);
    }
    return statement;
  }

  async executeQuery<Row>({ sql, parameters }: CompiledQuery): Promise<QueryResult<Row>> {
    if (this.refusal) throw this.refusal;
    return this.explaining(() => {
      const statement = this.#prepare(sql);
      const values = parameters as (string | number | null)[];
      if (statement.columns().length > 0) return { rows: statement.all(...values) as Row[] };
      const { changes } = statement.run(...values);
      return { rows: [], numAffectedRows: BigInt(changes) };
    });
  }

  async *streamQuery<Row>({ sql, parameters }: CompiledQuery): AsyncIterableIterator<QueryResult<Row>> {
    // A statement of its own: a cached one could be started again while this walk is under way.
    const statement = this.database.prepare(sql);
    for (const row of statement.iterate(...(parameters as (string | number | null)[]))) yield { rows: [row as Row] };
  }

  #prepare(sql: string): StatementSync {
    let statement = this.#statements.get(sql);
    if (!statement) {
      statement = this.database.prepare(sql);
      this.#statements.set(sql, statement);
    }
    return statement;
  }
}
