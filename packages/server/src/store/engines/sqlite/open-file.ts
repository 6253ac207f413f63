import { statSync } from 'node:fs';
import { DatabaseSync } from 'node:sqlite';
import { Kysely, sql } from 'kysely';
import { recordedIdentity, recordIdentity, renewEpoch } from '../../installation.ts';
import { migrateToLatest } from '../../migrations/migrate.ts';
import type { MigrationListener } from '../../migrations/migration-listener.ts';
import { readSecretId } from '../../sealed-columns.ts';
import type { Tables } from '../../tables.ts';
import { DatabaseUnavailable } from '../database-unavailable.ts';
import type { Snapshot } from '../engine.ts';
import { fileIdentity, logOf } from './database-file.ts';
import { NodeSqliteDialect, SqliteConnection } from './driver.ts';
import { DATABASE_CONTEXT, mapErrors } from './unavailable-errors.ts';

/**
 * The page caches of SQLite; the operating system caches the rest of the file. An import inserts in the order of the lists
 * and so needs few pages again: 64 MiB for the writer made an import of a million shuffled clients only 5 % faster.
 */
const READER_CACHE_KIB = 16 * 1024;
const WRITER_CACHE_KIB = 40 * 1024;
/** Every running export and search has one. Reading through a shuffled list is not slower than with 16 MiB. */
const SNAPSHOT_CACHE_KIB = 4 * 1024;

/** How long it waits in the rare moments in which another connection allows no reads, as when a log is recovered. */
const THREAD_BUSY_TIMEOUT_MS = 2000;

/** The log is written back when it has this many pages (64 MiB). Seldom, so that an import writes a page that changes often only once. */
const CHECKPOINT_PAGES = 16_384;

/** A log that became longer during a long snapshot is truncated to this size when it starts again. */
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
 * For a thread in which nobody else waits. A connection that cannot write creates no file, and does not remove the log when it is
 * closed, which may be that of another file by then.
 */
export function openThreadReader(file: string): DatabaseSync {
  const read = () => {
    const database = new DatabaseSync(file, { readOnly: true, timeout: THREAD_BUSY_TIMEOUT_MS });
    database.exec(`pragma cache_size = -${SNAPSHOT_CACHE_KIB}`);
    return database;
  };
  return mapErrors(read, { ...DATABASE_CONTEXT, file });
}

/**
 * Uses a separate connection. The other connections then notice the new schema and load it with the statistics for the query
 * planner, which the connection that wrote them would not do.
 */
export async function migrateFile(file: string, listener?: MigrationListener): Promise<void> {
  const db = openForMigrations<Tables>(file);
  try {
    await migrateToLatest(db, 'sqlite', listener);
    const identity = fileIdentity(file);
    // Read first, because most starts have nothing to write and so need not wait for other writers.
    if ((await recordedIdentity(db)) !== identity) {
      await db.transaction().execute((transaction) => recordIdentity(transaction, identity));
    }
  } finally {
    await db.destroy();
  }
}

/**
 * Starts a new epoch in a file to which a backup was restored, and returns the id of the secret that it was encrypted with.
 * Schemas from before epochs get one when they are migrated, and those from before encryption have no secret.
 */
export async function adoptRestoredFile(file: string): Promise<string | null> {
  const db = openForMigrations<Tables>(file);
  let secretId: string | null;
  try {
    secretId = await beginEpoch(db);
    await writeBackLog(db);
  } finally {
    await db.destroy();
  }
  if (statSync(logOf(file), { throwIfNoEntry: false })?.size) throw new DatabaseUnavailable(LOG_IS_LEFT);
  return secretId;
}

async function beginEpoch(db: Kysely<Tables>): Promise<string | null> {
  const { rows } = await sql<{ name: string }>`select name from pragma_table_info('installation')`.execute(db);
  const columns = rows.map(({ name }) => name);
  if (columns.length === 0 || (await recordedIdentity(db)) === undefined) return null;
  await db.transaction().execute(renewEpoch);
  return columns.includes('secret_id') ? await readSecretId(db) : null;
}

const LOG_IS_LEFT = 'the log of the restored database cannot be written back to its file';

/** The file alone becomes the database: what is only in its log would be lost. Closing the file does not report that. */
async function writeBackLog(db: Kysely<Tables>): Promise<void> {
  const { rows } = await sql<{ busy: number }>`pragma wal_checkpoint(truncate)`.execute(db);
  if (rows[0]?.busy !== 0) throw new DatabaseUnavailable(LOG_IS_LEFT);
}

export function openForMigrations<Schema>(file: string): Kysely<Schema> {
  const connection = new SqliteConnection(connect(file, READER_CACHE_KIB), { ...DATABASE_CONTEXT, file });
  return new Kysely<Schema>({ dialect: new NodeSqliteDialect(connection, 'begin immediate') });
}

export async function openSnapshot(file: string): Promise<Snapshot> {
  const connection = new SqliteConnection(openReader(file, SNAPSHOT_CACHE_KIB), { ...DATABASE_CONTEXT, file });
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
  return mapErrors(() => open(file, cacheKib), { ...DATABASE_CONTEXT, file });
}

function open(file: string, cacheKib: number): DatabaseSync {
  const database = new DatabaseSync(file, { timeout: 0 });
  database.exec('pragma busy_timeout = 2000');
  database.exec('pragma journal_mode = wal');
  // FULL: acknowledged changes survive a power failure, not only a crash of this process.
  database.exec('pragma synchronous = full');
  database.exec(`pragma cache_size = -${cacheKib}`);
  database.exec(`pragma wal_autocheckpoint = ${CHECKPOINT_PAGES}`);
  database.exec(`pragma journal_size_limit = ${LOG_MAX_BYTES}`);
  database.exec('pragma foreign_keys = on');
  // Erased data is overwritten, not only unlinked.
  database.exec('pragma secure_delete = on');
  database.exec('pragma busy_timeout = 0');
  return database;
}
