import type { SQLInputValue, StatementSync } from 'node:sqlite';
import { sql, type Transaction } from 'kysely';
import type { Tables } from '../../tables.ts';
import type { Engine, PoolUse, WritingEngine } from '../engine.ts';
import { rowsAsArrays } from '../rows-as-arrays.ts';
import { SnapshotLimit } from '../snapshot-limit.ts';
import { SqliteConnections } from './connections.ts';
import { cannotOpen, makeFile } from './database-file.ts';
import type { SqliteConnection } from './driver.ts';
import { migrateFile, openSnapshot } from './open-file.ts';
import {
  isOneOf,
  jsonOf,
  jsonText,
  jsonTexts,
  listOf,
  lookUp,
  mergedPage,
  pairRows,
  textRows,
} from './sql-fragments.ts';
import { openWordIndex } from './word-index.ts';
import { keepLogShort } from './write-ahead-log.ts';

/** The interval at which changes by other processes are noticed. A check takes about 4 microseconds. */
const CHANGE_POLL_MS = 100;

/** Rows in random order of time change almost every page of the list indexes, so each page should get many rows at once (decision 12). */
const ROWS_PER_IMPORT = 16_000;

/** Whether other processes wait cannot be seen, so after this time it is assumed. */
const UNSEEN_WAIT_MS = 50;

/** SQLite runs on the thread that answers requests, so nothing else is answered in the meantime. */
const SLICE_MS = 4;

export interface SqliteOptions {
  /** Whether the engine serves requests, which must not wait for a search, or a command, which waits for nothing else. */
  serving?: boolean;
}

/** The embedded default: one file, with one connection for writes and one for reads. */
export function openSqlite(file: string, { serving }: SqliteOptions = {}): WritingEngine {
  makeFile(file);
  const connections = connect(file);
  const { reads, reader, writer } = connections;
  const changes = watchChanges(connections);
  const stopLog = keepLogShort(file, connections);
  const snapshots = new SnapshotLimit(() => {
    connections.requireInPlace();
    return openSnapshot(file);
  });
  const snapshot: Engine['snapshot'] = (work) => reads.transaction().execute(work);

  return {
    dialect: 'sqlite',
    reads,
    snapshot,
    listSnapshot: snapshot,
    openSnapshot: () => snapshots.open(),
    openThread: serving ? (entry) => connections.openThread(entry) : undefined,
    sliceMs: SLICE_MS,
    write: async (work) => writeInPlace(connections, work),
    isAwaited: async () => writer.waiting > 0 || performance.now() - writer.transactionSince > UNSEEN_WAIT_MS,
    rowsPerImport: ROWS_PER_IMPORT,
    insertMany: async (_db, table, rows) => writer.mapErrors(() => insertMany(writer, table, rows)),
    words: openWordIndex(writer),
    listOf,
    jsonOf,
    isOneOf,
    jsonText,
    jsonTexts,
    mergedPage,
    numberRows: (columns, rows) => {
      const named = columns.map((column, index) => sql`value ->> ${sql.lit(index)} as ${sql.ref(column)}`);
      // With a limit and an offset, SQLite reads each value once. Otherwise it parses the text again for every comparison.
      return sql`(select ${sql.join(named)} from json_each(${JSON.stringify(rows)}) limit -1 offset 0)`;
    },
    pairRows,
    textRows,
    lookUp,
    // Prepared on first use, because a new database has no tables when the store is opened.
    prepareListRead: (query) => async (parameters, snapshot) =>
      snapshot
        ? rowsAsArrays(snapshot, query.sql, parameters)
        : reader.mapErrors(() => reader.arrayStatement(query.sql).all(...parameters) as unknown as unknown[][]),
    dataVersion: changes.version,
    migrate: async (listener) => {
      connections.requireInPlace();
      await migrateFile(file, listener);
      connections.requireCompatible(reader);
    },
    rewrite: () => connections.rewrite(),
    requireCompatible: async () => connections.requireCompatible(reader),
    // The processes of one machine share their rate limits without it.
    sharedBuckets: undefined,
    onUnavailable: connections.failures.subscribe,
    onChange: changes.subscribe,
    unchangedAt: changes.unchangedAt,
    pools: () => [useOf('writes', writer), useOf('reads', reader), snapshots.use],
    ping: async () => {
      connections.requireInPlace();
      await sql`select 1`.execute(reads);
    },
    close: () => {
      changes.stop();
      stopLog();
      return connections.close();
    },
  };
}

function useOf(pool: string, { isUsed, waiting }: SqliteConnection): PoolUse {
  return { pool, used: isUsed ? 1 : 0, idle: isUsed ? 0 : 1, waiting, max: 1 };
}

function connect(file: string): SqliteConnections {
  try {
    return new SqliteConnections(file);
  } catch (error) {
    throw cannotOpen(file, error);
  }
}

/** Refuses a write to a file that was moved or replaced, or whose schema this program must not use any more. */
function writeInPlace<T>(connections: SqliteConnections, work: (db: Transaction<Tables>) => Promise<T>): Promise<T> {
  connections.requireInPlace();
  return connections.writes.transaction().execute(async (db) => {
    connections.requireCompatible(connections.writer);
    const result = await work(db);
    connections.requireInPlace();
    return result;
  });
}

/** Uses the writing connection directly, within the transaction, so that no query is built per row. */
function insertMany(writer: SqliteConnection, table: string, rows: Iterable<object>): void {
  let insert: StatementSync | undefined;
  for (const row of rows) {
    insert ??= writer.statement(insertInto(table, Object.keys(row)));
    insert.run(...(Object.values(row) as SQLInputValue[]));
  }
}

function insertInto(table: string, columns: string[]): string {
  return `insert into ${table} (${columns.join(', ')}) values (${columns.map(() => '?').join(', ')})`;
}

/** Checks at intervals whether the data has changed, and whether the file is still in place. */
function watchChanges(connections: SqliteConnections) {
  const listeners = new Set<() => void>();
  const current = () => connections.version();
  let last = current();
  let checkedAt = performance.now();
  const timer = setInterval(() => {
    const now = undefinedOnError(() => {
      connections.requireInPlace();
      return current();
    });
    if (now === undefined) return;
    checkedAt = performance.now();
    if (now === last) return;
    last = now;
    for (const listener of listeners) listener();
  }, CHANGE_POLL_MS).unref();

  return {
    version: oncePerTurn(current),
    subscribe: (listener: () => void) => {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    unchangedAt: () => checkedAt,
    stop: () => clearInterval(timer),
  };
}

/** A failed check is repeated soon. Callers that need the answer now check by themselves and get the error. */
function undefinedOnError<T>(read: () => T): T | undefined {
  try {
    return read();
  } catch {
    return undefined;
  }
}

/**
 * Reads once for all callers in one turn of the event loop, after the last of them, so that the result reflects every change
 * before the call. A read takes a fifth of the time of an answer from memory.
 */
function oncePerTurn<T>(read: () => T): () => Promise<T> {
  let reading: Promise<T> | undefined;
  return () => {
    reading ??= new Promise((resolve, reject) => {
      setImmediate(() => {
        reading = undefined;
        try {
          resolve(read());
        } catch (error) {
          reject(error);
        }
      });
    });
    return reading;
  };
}
