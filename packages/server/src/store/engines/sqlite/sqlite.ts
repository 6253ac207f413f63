import type { DatabaseSync, SQLInputValue, StatementSync } from 'node:sqlite';
import { sql, type Transaction } from 'kysely';
import type { Tables } from '../../tables.ts';
import type { Engine, WritingEngine } from '../engine.ts';
import { FewSnapshots } from '../few-snapshots.ts';
import { arraysIn } from '../postgres/arrays-in.ts';
import { SqliteConnections } from './connections.ts';
import { cannotOpen, makeFile } from './database-file.ts';
import { listOf, lookUp } from './lists.ts';
import { migrateFile, openSnapshot } from './open.ts';
import { keepLogShort } from './write-ahead-log.ts';

/** How soon a change by another process is noticed at the latest. The look itself costs some 4 microseconds. */
const CHANGE_POLL_MS = 100;

/** Rows in no order of time touch almost every page of the lists, so a page should take many at once (decision 12). */
const ROWS_PER_IMPORT = 16_000;

/** SQLite answers on the thread that answers requests: nothing else happens meanwhile. */
const SLICE_MS = 4;

/** The embedded default: one file, one connection that writes and one that reads beside it. */
export function openSqlite(file: string): WritingEngine {
  makeFile(file);
  const connections = connect(file);
  const { reads, reader, writer } = connections;
  const changes = watchChanges(connections);
  const stopLog = keepLogShort(file, connections);
  const snapshots = new FewSnapshots(() => {
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
    sliceMs: SLICE_MS,
    write: async (work) => writeInPlace(connections, work),
    rowsPerImport: ROWS_PER_IMPORT,
    insertMany: async (_db, table, rows) => writer.explaining(() => insertMany(writer.database, table, rows)),
    listOf,
    numberRows: (columns, rows) => {
      const named = columns.map((column, index) => sql`value ->> ${sql.lit(index)} as ${sql.ref(column)}`);
      return sql`(select ${sql.join(named)} from json_each(${JSON.stringify(rows)}))`;
    },
    lookUp,
    // Prepared once it is needed: a new database has no tables when the store is opened.
    prepareListRead: (query) => async (parameters, snapshot) =>
      snapshot
        ? arraysIn(snapshot, query.sql, parameters)
        : reader.explaining(() => reader.arrays(query.sql).all(...parameters) as unknown as unknown[][]),
    dataVersion: changes.version,
    migrate: async () => {
      connections.requireInPlace();
      await migrateFile(file);
      connections.requireCompatible(reader);
    },
    requireCompatible: async () => connections.requireCompatible(reader),
    onTrouble: connections.trouble.subscribe,
    onChange: changes.subscribe,
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

function connect(file: string): SqliteConnections {
  try {
    return new SqliteConnections(file);
  } catch (error) {
    throw cannotOpen(file, error);
  }
}

/** Nothing is acknowledged that is only in a file which others no longer find, or that a newer schema has no place for. */
function writeInPlace<T>(connections: SqliteConnections, work: (db: Transaction<Tables>) => Promise<T>): Promise<T> {
  connections.requireInPlace();
  return connections.writes.transaction().execute(async (db) => {
    connections.requireCompatible(connections.writer);
    const result = await work(db);
    connections.requireInPlace();
    return result;
  });
}

/** On the writing connection itself, which the surrounding transaction has to itself: no query is built per row. */
function insertMany(writer: DatabaseSync, table: string, rows: Iterable<object>): void {
  let insert: StatementSync | undefined;
  for (const row of rows) {
    insert ??= prepareInsert(writer, table, Object.keys(row));
    insert.run(...(Object.values(row) as SQLInputValue[]));
  }
}

function prepareInsert(writer: DatabaseSync, table: string, columns: string[]): StatementSync {
  return writer.prepare(`insert into ${table} (${columns.join(', ')}) values (${columns.map(() => '?').join(', ')})`);
}

/** Looks from time to time for changes of the file, and whether it still has its name. */
function watchChanges(connections: SqliteConnections) {
  const listeners = new Set<() => void>();
  const current = () => connections.version();
  let last = current();
  const timer = setInterval(() => {
    const now = orNothing(() => {
      connections.requireInPlace();
      return current();
    });
    if (now === undefined || now === last) return;
    last = now;
    for (const listener of listeners) listener();
  }, CHANGE_POLL_MS).unref();

  return {
    version: oncePerTurn(current),
    subscribe: (listener: () => void) => {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    stop: () => clearInterval(timer),
  };
}

/** A look that fails is made again soon; whoever needs the answer now makes one of their own, and hears why. */
function orNothing<T>(look: () => T): T | undefined {
  try {
    return look();
  } catch {
    return undefined;
  }
}

/**
 * Looks once for all that ask in one turn of the event loop, and after the last of them has asked: what a caller could
 * know of before it asked is therefore always seen. A look costs a fifth of what it takes to answer from memory.
 */
function oncePerTurn<T>(look: () => T): () => Promise<T> {
  let looking: Promise<T> | undefined;
  return () => {
    looking ??= new Promise((resolve, reject) => {
      setImmediate(() => {
        looking = undefined;
        try {
          resolve(look());
        } catch (error) {
          reject(error);
        }
      });
    });
    return looking;
  };
}
