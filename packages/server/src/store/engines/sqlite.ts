import { closeSync, mkdirSync, openSync } from 'node:fs';
import { dirname } from 'node:path';
import { DatabaseSync, type SQLInputValue, type StatementSync } from 'node:sqlite';
import { Kysely, sql } from 'kysely';
import { migrateToLatest } from '../migrations/migrate.ts';
import type { Tables } from '../tables.ts';
import type { Engine, Snapshot } from './engine.ts';
import { explaining, NodeSqliteDialect } from './sqlite-driver.ts';

/** How soon a change by another process is noticed at the latest. The look itself costs some 4 microseconds. */
const CHANGE_POLL_MS = 100;

/**
 * Pages in our own hands; the operating system caches the rest of the file. An import inserts in the order of the lists
 * and so comes back to few: 64 MiB for the writer made one of a million shuffled clients 5 % faster, no more.
 */
const READER_CACHE_KIB = 16 * 1024;
const WRITER_CACHE_KIB = 40 * 1024;

/** The log is written back once it has this many pages (64 MiB): rarer, so that an import writes a hot page once. */
const CHECKPOINT_PAGES = 16_384;

/** Rows in no order of time touch almost every page of the lists, so a page should take many at once (decision 12). */
const ROWS_PER_IMPORT = 16_000;

/** The embedded default: one file, one connection that writes and one that reads beside it. */
export function openSqlite(file: string): Engine {
  mkdirSync(dirname(file), { recursive: true, mode: 0o700 });
  closeSync(openSync(file, 'a', 0o600));
  const writer = connect(file, WRITER_CACHE_KIB);
  const reader = connect(file, READER_CACHE_KIB);
  reader.exec('pragma query_only = on');
  const reads = new Kysely<Tables>({ dialect: new NodeSqliteDialect(reader, 'begin') });
  const writes = new Kysely<Tables>({ dialect: new NodeSqliteDialect(writer, 'begin immediate') });
  const changes = watchChanges(reader);
  const snapshot: Engine['snapshot'] = (work) => reads.transaction().execute(work);

  return {
    dialect: 'sqlite',
    reads,
    snapshot,
    listSnapshot: snapshot,
    openSnapshot: () => openSnapshot(file),
    write: (work) => writes.transaction().execute(work),
    rowsPerImport: ROWS_PER_IMPORT,
    insertMany: async (_db, table, rows) => insertMany(writer, table, rows),
    listOf: (values) => sql`(select value from json_each(${JSON.stringify(values)}))`,
    numberRows: (columns, rows) => {
      const named = columns.map((column, index) => sql`value ->> ${sql.lit(index)} as ${sql.ref(column)}`);
      return sql`(select ${sql.join(named)} from json_each(${JSON.stringify(rows)}))`;
    },
    idsOf: (query) => sql`(${query}) as ids`,
    prepareListRead: (query) => {
      // Once it is needed: a new database has no tables when the store is opened.
      let statement: StatementSync | undefined;
      return async (parameters) =>
        explaining(() => {
          statement ??= prepareArrays(reader, query.sql);
          return statement.all(...parameters) as unknown as unknown[][];
        });
    },
    dataVersion: changes.version,
    migrate: () => migrate(file),
    onChange: changes.subscribe,
    ping: async () => {
      await sql`select 1`.execute(reads);
    },
    close: async () => {
      changes.stop();
      await reads.destroy();
      await writes.destroy();
      // The query builder closes only what it has used; the last one to be closed puts the log into the file.
      for (const database of [reader, writer]) if (database.isOpen) database.close();
    },
  };
}

/**
 * On a connection of its own. The others then find a new schema and read it whole, with the figures that queries are
 * planned by, which the connection that wrote them would not.
 */
async function migrate(file: string): Promise<void> {
  const db = new Kysely<Tables>({ dialect: new NodeSqliteDialect(connect(file, READER_CACHE_KIB), 'begin immediate') });
  try {
    await migrateToLatest(db, 'sqlite');
  } finally {
    await db.destroy();
  }
}

async function openSnapshot(file: string): Promise<Snapshot> {
  const database = connect(file, READER_CACHE_KIB);
  database.exec('pragma query_only = on');
  const kysely = new Kysely<Tables>({ dialect: new NodeSqliteDialect(database, 'begin') });
  const db = await kysely.startTransaction().execute();
  return {
    db,
    close: async () => {
      await db.rollback().execute();
      await kysely.destroy();
    },
  };
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

function prepareArrays(database: DatabaseSync, text: string): StatementSync {
  const statement = database.prepare(text);
  statement.setReturnArrays(true);
  return statement;
}

function connect(file: string, cacheKib: number): DatabaseSync {
  const database = new DatabaseSync(file, { timeout: 0 });
  database.exec('pragma busy_timeout = 2000');
  database.exec('pragma journal_mode = wal');
  // FULL: what was acknowledged survives a power cut, not only a crash of this process.
  database.exec('pragma synchronous = full');
  database.exec(`pragma cache_size = -${cacheKib}`);
  database.exec(`pragma wal_autocheckpoint = ${CHECKPOINT_PAGES}`);
  database.exec('pragma foreign_keys = on');
  // What is erased is overwritten, not only forgotten.
  database.exec('pragma secure_delete = on');
  database.exec('pragma busy_timeout = 0');
  return database;
}

/** `data_version` moves when any other connection, ours or another process's, has committed. */
function watchChanges(database: DatabaseSync) {
  const listeners = new Set<() => void>();
  const query = prepareArrays(database, 'pragma data_version');
  const current = () => explaining(() => (query.get() as unknown as [number])[0]);
  let last = current();
  const timer = setInterval(() => {
    const now = orNothing(current);
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
