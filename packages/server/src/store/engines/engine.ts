import type { CompiledQuery, Expression, Insertable, Kysely, RawBuilder, Transaction } from 'kysely';
import type { SharedBuckets } from '../../domain/credentials/index.ts';
import type { MigrationListener } from '../migrations/migration-listener.ts';
import type { Tables } from '../tables.ts';
import type { UnavailableListener } from './database-unavailable.ts';

/** A database that can only be read. All writes go through the seam (change.ts). */
export type ReadOnlyDatabase = Omit<
  Kysely<Tables>,
  | 'insertInto'
  | 'replaceInto'
  | 'updateTable'
  | 'deleteFrom'
  | 'mergeInto'
  | 'transaction'
  | 'startTransaction'
  | 'schema'
>;

export interface Snapshot {
  db: ReadOnlyDatabase;
  close(): Promise<void>;
}

/** How connections are used. `pool` says what they are for. */
export interface PoolUse {
  pool: string;
  used: number;
  idle: number;
  /** How many wait for one in this process. */
  waiting: number;
  max: number;
}

/** Buckets of rate limits in the database. */
export interface StoredBuckets extends SharedBuckets {
  /** Deletes the buckets that are full, because a bucket that does not exist is full. What takes too long is left to the next call. */
  removeFull(): Promise<void>;
}

/** The words of a client before and after a change. Without `before` the client is new, without `after` it is removed. */
export interface WordChange {
  clientId: number;
  before?: readonly string[] | undefined;
  after?: readonly string[] | undefined;
}

/** Finds clients by the beginnings of their words. It is derived from the clients and written with them. */
export interface WordIndex {
  /** The changes must be in the order of the ids, with one for each client. */
  save(db: Transaction<Tables>, workspaceId: number, changes: Iterable<WordChange>): Promise<void>;
  /**
   * The ids, in any order, of at most `limit` clients that have, for each of the words, one that begins with it. Returns
   * `undefined` if that takes longer than a request may wait.
   */
  find(
    db: ReadOnlyDatabase,
    workspaceId: number,
    words: readonly string[],
    limit: number,
  ): Promise<number[] | undefined>;
  /** Passes every word of every client, in any order. */
  readAll(db: ReadOnlyDatabase, workspaceId: number, visit: (clientId: number, word: string) => void): Promise<void>;
  /** Removes the words of all workspaces, because on SQLite those of one cannot be removed without knowing them. */
  clear(db: Transaction<Tables>): Promise<void>;
}

/** Answers questions in a thread of its own, with its own connections. */
export interface ReadingThread {
  /**
   * The question and the answer are plain data. What is read for an answer is one snapshot, which contains every change before
   * the call. It throws the reason when the signal is aborted, and fails if the thread ends.
   */
  ask<Answer>(question: unknown, signal?: AbortSignal): Promise<Answer>;
}

/** What a search needs from a database, where requests are answered as well as in a thread of its own. */
export interface SearchEngine extends Pick<Engine, 'listOf' | 'jsonOf' | 'sliceMs'> {
  readonly words: Pick<WordIndex, 'find'>;
  /** How long others may run after a slice, if they need another time than usual. */
  readonly pauseMs?: number;
}

/** What the rest of the store needs from a database. It hides all differences between databases. */
export interface Engine {
  readonly dialect: 'sqlite' | 'postgres';
  readonly reads: ReadOnlyDatabase;
  /** Runs several reads in one snapshot. */
  snapshot<T>(work: (db: ReadOnlyDatabase) => Promise<T>): Promise<T>;
  /** The same for lists of clients. A replica may answer, so the data may be slightly out of date. */
  listSnapshot<T>(work: (db: ReadOnlyDatabase) => Promise<T>): Promise<T>;
  /**
   * Opens a snapshot on its own connection, for long reads that must not delay others. Their number is limited: a caller
   * waits for a free one, and fails if none becomes free in time.
   */
  openSnapshot(): Promise<Snapshot>;
  /**
   * If reading keeps a process from answering requests: a thread that runs this file from the first question on, until it has
   * had none for a while (see `answerInThread`).
   */
  readonly openThread: ((entry: URL) => ReadingThread) | undefined;
  /** How long each statement of a read in slices should take, so that it does not delay others. */
  readonly sliceMs: number;
  /** How many rows of an import one transaction should write. */
  readonly rowsPerImport: number;
  /** Inserts many rows in the fastest way that the database offers. All rows must have the same columns. */
  insertMany<Name extends keyof Tables>(
    db: Transaction<Tables>,
    table: Name,
    rows: Iterable<Insertable<Tables[Name]>>,
  ): Promise<void>;
  readonly words: WordIndex;
  /** For `column in (…)`. The statement is the same for any number of values, so that it is prepared once. */
  listOf<Value extends string | number>(values: readonly Value[]): Expression<Value>;
  /** All values of a column, in the order of the rows, as the text of a JSON array. Without rows it may be null. */
  jsonOf(column: RawBuilder<number>): RawBuilder<string | null>;
  /** For a prepared read: whether the column is one of the texts in a JSON array, which is one parameter. */
  isOneOf(column: RawBuilder<string>, json: string): RawBuilder<boolean>;
  /** The text under this name in a column of JSON objects; null if there is none. */
  jsonText(column: RawBuilder<string | null>, name: string): RawBuilder<string>;
  /** The texts of the array under this name as a table expression with one column; no rows if there is none. */
  jsonTexts(column: RawBuilder<string | null>, name: string, as: string): RawBuilder<unknown>;
  /** Rows of numbers as a table expression with named columns, passed in one parameter. */
  numberRows(columns: readonly string[], rows: readonly (readonly number[])[]): RawBuilder<unknown>;
  /** The same for pairs of a text and a number, in columns with these names. */
  pairRows(pairs: readonly (readonly [string, number])[]): RawBuilder<unknown>;
  /** The same for texts, in a column `text`. */
  textRows(texts: readonly string[]): RawBuilder<unknown>;
  /**
   * Joins a table by looking up the rows that match the condition for each preceding row, in this order and with an index,
   * regardless of the estimates of the query planner.
   */
  lookUp(table: keyof Tables, alias: string, condition: RawBuilder<unknown>): RawBuilder<unknown>;
  /**
   * A page of several selections of the same columns, merged in this order. The statement must have a common table
   * expression `page` with one row: `size`, and how many rows are `skipped` before.
   */
  mergedPage(selections: readonly RawBuilder<unknown>[], order: RawBuilder<unknown>): RawBuilder<unknown>;
  /**
   * Prepares a read of a list, which returns its rows as arrays. As with `listSnapshot`, a replica may answer unless it runs
   * within a snapshot. The parameters in the query only show which of them are numbers.
   */
  prepareListRead(
    query: CompiledQuery,
  ): (parameters: readonly (string | number)[], snapshot?: ReadOnlyDatabase) => Promise<unknown[][]>;
  /**
   * A number that changes whenever the data may have changed, and always reflects changes before the call. It is cheap enough
   * to read on every request.
   */
  dataVersion(): number | Promise<number>;
  /** Runs the migrations. If the identity of the database has changed, a new epoch starts. */
  migrate(listener?: MigrationListener): Promise<void>;
  /**
   * Rewrites the tables of these columns, so that nothing remains in the files of the database of values that were changed or deleted. On
   * SQLite, this is the whole file, and it takes long if the file is large.
   */
  rewrite(columns: readonly { table: keyof Tables; column: string }[]): Promise<void>;
  /** Calls the listener soon after any process has changed the data. Returns the function that unsubscribes. */
  onChange(listener: () => void): () => void;
  /**
   * When it was last known that there are no changes about which listeners have not been told, as returned by
   * `performance.now()`.
   */
  unchangedAt(): number;
  /** How its connections are used at the moment. */
  pools(): PoolUse[];
  /** Resolves when the database answers. */
  ping(): Promise<void>;
  /** Fails if this program must not use the schema any more. From then on, everything else fails too. */
  requireCompatible(): Promise<void>;
  /** Where the database serves processes on several machines, it keeps their rate limits. */
  readonly sharedBuckets: StoredBuckets | undefined;
  /** Calls the listener whenever the database cannot be used. Returns the function that unsubscribes. */
  onUnavailable(listener: UnavailableListener): () => void;
  close(): Promise<void>;
}

/** An engine that can also write. Only the seam (change.ts) uses this interface. */
export interface WritingEngine extends Engine {
  /**
   * Runs the work in one transaction. It may run again after a conflict with another transaction, so its only side effects
   * may be those on the database.
   */
  write<T>(work: (db: Transaction<Tables>) => Promise<T>): Promise<T>;
  /** Whether another transaction waits for this one, of any process, or may do so. */
  isAwaited(db: Transaction<Tables>): Promise<boolean>;
}
