import { DatabaseSync } from 'node:sqlite';
import { Kysely } from 'kysely';
import { settle, settledPlace } from '../../installation.ts';
import { migrateToLatest } from '../../migrations/migrate.ts';
import type { Tables } from '../../tables.ts';
import type { Snapshot } from '../engine.ts';
import { placeOf } from './database-file.ts';
import { NodeSqliteDialect, SqliteConnection } from './driver.ts';
import { A_DATABASE, explaining } from './failures.ts';

/**
 * Pages in our own hands; the operating system caches the rest of the file. An import inserts in the order of the lists
 * and so comes back to few: 64 MiB for the writer made one of a million shuffled clients 5 % faster, no more.
 */
const READER_CACHE_KIB = 16 * 1024;
const WRITER_CACHE_KIB = 40 * 1024;
/** There is one for every export and search under way; walking through a shuffled list is no slower than with 16 MiB. */
const SNAPSHOT_CACHE_KIB = 4 * 1024;

/** The log is written back once it has this many pages (64 MiB): rarer, so that an import writes a hot page once. */
const CHECKPOINT_PAGES = 16_384;

/** A log that grew longer, while somebody was reading an older state for long, is cut back to this when it begins anew. */
const LOG_MAX_BYTES = 64 * 1024 * 1024;

export function openWriter(file: string): DatabaseSync {
  return connect(file, WRITER_CACHE_KIB);
}

export function openReader(file: string, cacheKib = READER_CACHE_KIB): DatabaseSync {
  const database = connect(file, cacheKib);
  database.exec('pragma query_only = on');
  return database;
}

/**
 * On a connection of its own. The others then find a new schema and read it whole, with the figures that queries are
 * planned by, which the connection that wrote them would not.
 */
export async function migrateFile(file: string): Promise<void> {
  const connection = new SqliteConnection(connect(file, READER_CACHE_KIB), { ...A_DATABASE, file });
  const db = new Kysely<Tables>({ dialect: new NodeSqliteDialect(connection, 'begin immediate') });
  try {
    await migrateToLatest(db, 'sqlite');
    const place = placeOf(file);
    // Looked at first: most starts have nothing to write, and so need not wait for those who do.
    if ((await settledPlace(db)) !== place) await db.transaction().execute((transaction) => settle(transaction, place));
  } finally {
    await db.destroy();
  }
}

export async function openSnapshot(file: string): Promise<Snapshot> {
  const connection = new SqliteConnection(openReader(file, SNAPSHOT_CACHE_KIB), { ...A_DATABASE, file });
  const kysely = new Kysely<Tables>({ dialect: new NodeSqliteDialect(connection, 'begin') });
  const db = await kysely.startTransaction().execute();
  return {
    db,
    close: async () => {
      try {
        await db.rollback().execute();
      } finally {
        await kysely.destroy();
      }
    },
  };
}

function connect(file: string, cacheKib: number): DatabaseSync {
  return explaining(() => open(file, cacheKib), { ...A_DATABASE, file });
}

function open(file: string, cacheKib: number): DatabaseSync {
  const database = new DatabaseSync(file, { timeout: 0 });
  database.exec('pragma busy_timeout = 2000');
  database.exec('pragma journal_mode = wal');
  // FULL: what was acknowledged survives a power cut, not only a crash of this process.
  database.exec('pragma synchronous = full');
  database.exec(`pragma cache_size = -${cacheKib}`);
  database.exec(`pragma wal_autocheckpoint = ${CHECKPOINT_PAGES}`);
  database.exec(`pragma journal_size_limit = ${LOG_MAX_BYTES}`);
  database.exec('pragma foreign_keys = on');
  // What is erased is overwritten, not only forgotten.
  database.exec('pragma secure_delete = on');
  database.exec('pragma busy_timeout = 0');
  return database;
}
