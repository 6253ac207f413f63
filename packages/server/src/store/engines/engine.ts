import type { CompiledQuery, Expression, Insertable, Kysely, RawBuilder, Transaction } from 'kysely';
import type { Tables } from '../tables.ts';
import type { HearTrouble } from './trouble.ts';

/** What can only be read from: nothing is written but through the seam for every change (change.ts). */
export type Reads = Omit<
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
  db: Reads;
  close(): Promise<void>;
}

/** What the rest of the store needs of a database; everything in which databases truly differ is behind it. */
export interface Engine {
  readonly dialect: 'sqlite' | 'postgres';
  readonly reads: Reads;
  /** Several reads of one moment. */
  snapshot<T>(work: (db: Reads) => Promise<T>): Promise<T>;
  /** The same for lists of clients, of a moment that may lie a little in the past: a replica may answer. */
  listSnapshot<T>(work: (db: Reads) => Promise<T>): Promise<T>;
  /**
   * The same on a connection of its own, for reading at length without being in anybody's way. There are few of these, also
   * for a server of many connections: whoever finds none free waits, and hears in the end that there was none.
   */
  openSnapshot(): Promise<Snapshot>;
  /** How long one statement of a read in slices should take, so that others are not kept waiting by it. */
  readonly sliceMs: number;
  /** How many rows of an import one write should bring. */
  readonly rowsPerImport: number;
  /** Inserts many rows within a write, as fast as the database can. All have the same columns. */
  insertMany<Name extends keyof Tables>(
    db: Transaction<Tables>,
    table: Name,
    rows: Iterable<Insertable<Tables[Name]>>,
  ): Promise<void>;
  /** For `column in (…)`: one statement whatever the number of values, so that it is prepared once. */
  listOf<Value extends string | number>(values: readonly Value[]): Expression<Value>;
  /** Rows of numbers as something to select from, in one parameter, with the columns named. */
  numberRows(columns: readonly string[], rows: readonly (readonly number[])[]): RawBuilder<unknown>;
  /**
   * Joins a table by looking up, for each row of what stands before it, the rows that fulfil the condition: in this order
   * and by an index, whatever the database thinks of how many there are.
   */
  lookUp(table: keyof Tables, alias: string, condition: RawBuilder<unknown>): RawBuilder<unknown>;
  /**
   * A read of a list that is prepared once and gives its rows as arrays; as for `listSnapshot`, a replica may answer, unless
   * it is run within a snapshot. The query's own parameters only say which are numbers.
   */
  prepareListRead(
    query: CompiledQuery,
  ): (parameters: readonly (string | number)[], snapshot?: Reads) => Promise<unknown[][]>;
  /**
   * Moves whenever anybody may have changed the data; cheap enough to look at on every request. What was changed before
   * the call is always seen.
   */
  dataVersion(): number | Promise<number>;
  /** Brings the schema up to date. A database that is not where it was gets a new epoch. */
  migrate(): Promise<void>;
  /** Calls the listener soon after anyone, in any process, has changed the data. Returns how to stop. */
  onChange(listener: () => void): () => void;
  /** Resolves when the database answers. */
  ping(): Promise<void>;
  /** Fails, from then on like everything else, when the schema has become one that this program must not use. */
  requireCompatible(): Promise<void>;
  /** Calls the listener with whatever keeps the database from being used. Returns how to stop. */
  onTrouble(listener: HearTrouble): () => void;
  close(): Promise<void>;
}

/** An engine that can also write. Only the seam for every change (change.ts) gets to see this side of it. */
export interface WritingEngine extends Engine {
  /**
   * One transaction: all of it is kept, or none. It may be run again when it lost against another one, so it must change
   * nothing but the database.
   */
  write<T>(work: (db: Transaction<Tables>) => Promise<T>): Promise<T>;
}
