import {
  closeSync,
  copyFileSync,
  existsSync,
  mkdtempSync,
  openSync,
  readSync,
  realpathSync,
  rmSync,
  type Stats,
  statSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { setTimeout as sleep } from 'node:timers/promises';
import { pathToFileURL } from 'node:url';
import { DEFAULT_MIGRATION_TABLE } from 'kysely/migration';
import { type BackupOwner, backupOwner } from '../../../domain/backup-schedule.ts';
import { Failure } from '../../../domain/failure.ts';
import { COMPATIBILITY_TABLE, SELECT_OLDEST_SCHEMA } from '../../compatibility.ts';
import type { DatabaseContents } from '../database-contents.ts';
import { cannotOpen } from './database-file.ts';

const HEADER_BYTES = 100;
const MAGIC = 'SQLite format 3\0';

/**
 * A log of this size contains nothing. A process leaves such a log if it is killed in the first write after the log was emptied.
 * Without the right to change its index, SQLite would try for ten seconds to read it, and then fail.
 */
const LOG_HEADER_BYTES = 32;

/** The files beside the database appear and disappear while another process opens or closes it. */
const ATTEMPTS = 5;
const RETRY_MS = 50;

/**
 * Reads the contents of a file without taking a lock or writing anything. Returns `undefined` if the file does not exist or
 * is empty, and fails if it is not a database or is incomplete.
 */
export async function inspectSqlite(name: string): Promise<DatabaseContents | undefined> {
  // SQLite follows symbolic links and keeps its log beside the target.
  const file = existsSync(name) ? realpathSync(name) : name;
  for (let attempt = 1; ; attempt++) {
    const hasLog = sizeOf(`${file}-wal`) > 0;
    try {
      return inspectOnce(file);
    } catch (error) {
      if (error instanceof Failure) throw error;
      // If the log existed before the attempt and does not exist any more, it was just written back.
      if (attempt === ATTEMPTS || !(hasLog || sizeOf(`${file}-wal`) > 0)) throw unreadable(file, error);
      await sleep(RETRY_MS);
    }
  }
}

function inspectOnce(file: string): DatabaseContents | undefined {
  const size = sizeOf(file);
  if (size === 0) return undefined;
  const header = readHeader(file);
  if (header.toString('latin1', 0, MAGIC.length) !== MAGIC) {
    throw new Failure('bad_parameter', `${file} is not a database. It was not changed.`);
  }
  if (sizeOf(`${file}-wal`) > LOG_HEADER_BYTES) return inspectWithLog(file);
  requireComplete(file, header, size);
  return read(file, 'immutable=1');
}

/** The log beside the file contains the last changes of another process. */
function inspectWithLog(file: string): DatabaseContents {
  if (sizeOf(`${file}-shm`) > 0) return read(file, 'readonly_shm=1');
  const contents = read(file, 'immutable=1');
  return contents.tables.length > 0 ? contents : inspectCopy(file);
}

/** A copy, because SQLite would create an index of the log beside the original. Without tables in the file, both are small. */
function inspectCopy(file: string): DatabaseContents {
  const folder = mkdtempSync(join(tmpdir(), 'rollcall-inspect-'));
  try {
    const copy = join(folder, 'copy.db');
    for (const part of ['', '-wal']) copyFileSync(file + part, copy + part);
    return read(copy, 'mode=ro');
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

function read(file: string, options: string): DatabaseContents {
  const address = pathToFileURL(file);
  address.search = options;
  const database = new DatabaseSync(address, { readOnly: true });
  try {
    const names = (query: string) =>
      database
        .prepare(query)
        .all()
        .map(({ name }) => String(name));
    const tables = names(`select name from sqlite_schema where type in ('table', 'view') and name not glob 'sqlite_*'`);
    const isMigrated = tables.includes(DEFAULT_MIGRATION_TABLE);
    const hasCompatibility = tables.includes(COMPATIBILITY_TABLE);
    const [record] = hasCompatibility ? database.prepare(SELECT_OLDEST_SCHEMA).all() : [];
    return {
      tables,
      migrations: isMigrated ? names(`select name from ${DEFAULT_MIGRATION_TABLE}`) : [],
      oldestSchema: record && Number(record.oldest_schema),
      backupOwner: tables.includes('installation') ? readBackupOwner(database) : undefined,
    };
  } finally {
    database.close();
  }
}

/** Schemas from before memberships have no key, and a database whose first start was interrupted may have no row. */
function readBackupOwner(database: DatabaseSync): BackupOwner | undefined {
  const column = database.prepare(`select 1 from pragma_table_info('installation') where name = 'salt_key'`).get();
  const row = column && database.prepare('select salt_key from installation').get();
  return row && backupOwner(String(row.salt_key));
}

/** A truncated copy can still have a valid header. */
function requireComplete(file: string, header: Buffer, size: number): void {
  const pageSize = header.readUInt16BE(16) === 1 ? 65_536 : header.readUInt16BE(16);
  const pages = header.readUInt32BE(28);
  const isPageCountValid = header.readUInt32BE(24) === header.readUInt32BE(92);
  if (!isPageCountValid || size >= pages * pageSize) return;
  throw new Failure(
    'bad_parameter',
    `${file} is damaged: it has only ${size} of its ${pages * pageSize} bytes. It was not changed.`,
  );
}

function readHeader(file: string): Buffer {
  const header = Buffer.alloc(HEADER_BYTES);
  const descriptor = openSync(file, 'r');
  try {
    readSync(descriptor, header, 0, HEADER_BYTES, 0);
  } finally {
    closeSync(descriptor);
  }
  return header;
}

function sizeOf(file: string): number {
  const stats = statsOf(file);
  if (stats && !stats.isFile()) throw new Failure('bad_parameter', `${file} is not a file.`);
  return stats?.size ?? 0;
}

function statsOf(file: string): Stats | undefined {
  try {
    return statSync(file, { throwIfNoEntry: false });
  } catch (error) {
    throw cannotOpen(file, error);
  }
}

function unreadable(file: string, cause: unknown): Failure {
  const reason = cause instanceof Error ? cause.message : String(cause);
  return new Failure('bad_parameter', `${file} cannot be read as a database (${reason}). It was not changed.`, {
    cause,
  });
}
