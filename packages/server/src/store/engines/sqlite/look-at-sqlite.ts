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
import { Failure } from '../../../domain/failure.ts';
import { COMPATIBILITY_TABLE, SELECT_OLDEST_SCHEMA } from '../../compatibility.ts';
import type { Contents } from '../contents.ts';
import { cannotOpen } from './database-file.ts';

const HEADER_BYTES = 100;
const MAGIC = 'SQLite format 3\0';

/** While another process opens or closes the file, what is beside it comes and goes. */
const ATTEMPTS = 5;
const RETRY_MS = 50;

/**
 * Reads what a file holds as nobody would notice: without a lock, a log or a byte written. Nothing, when there is no file
 * or it is empty; a failure when it is no database, or not a whole one.
 */
export async function lookAtSqlite(name: string): Promise<Contents | undefined> {
  // SQLite follows links, and keeps its log beside what they lead to.
  const file = existsSync(name) ? realpathSync(name) : name;
  for (let attempt = 1; ; attempt++) {
    const hasLog = sizeOf(`${file}-wal`) > 0;
    try {
      return look(file);
    } catch (error) {
      if (error instanceof Failure) throw error;
      // A log that was there before the look and is not any more was just written back.
      if (attempt === ATTEMPTS || !(hasLog || sizeOf(`${file}-wal`) > 0)) throw unreadable(file, error);
      await sleep(RETRY_MS);
    }
  }
}

function look(file: string): Contents | undefined {
  const size = sizeOf(file);
  if (size === 0) return undefined;
  const header = readHeader(file);
  if (header.toString('latin1', 0, MAGIC.length) !== MAGIC) {
    throw new Failure('bad_parameter', `${file} is not a database; it was left as it is.`);
  }
  if (sizeOf(`${file}-wal`) > 0) return lookWithLog(file);
  requireWhole(file, header, size);
  return read(file, 'immutable=1');
}

/** What another process has written last, or could not write back any more, is in the log beside the file. */
function lookWithLog(file: string): Contents {
  if (sizeOf(`${file}-shm`) > 0) return read(file, 'readonly_shm=1');
  const contents = read(file, 'immutable=1');
  return contents.tables.length > 0 ? contents : lookAtCopy(file);
}

/** SQLite would make an index of the log beside it; with no tables in the file itself, both are small. */
function lookAtCopy(file: string): Contents {
  const folder = mkdtempSync(join(tmpdir(), 'rollcall-look-'));
  try {
    const copy = join(folder, 'copy.db');
    for (const part of ['', '-wal']) copyFileSync(file + part, copy + part);
    return read(copy, 'mode=ro');
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

function read(file: string, how: string): Contents {
  const address = pathToFileURL(file);
  address.search = how;
  const database = new DatabaseSync(address, { readOnly: true });
  try {
    const names = (query: string) =>
      database
        .prepare(query)
        .all()
        .map(({ name }) => String(name));
    const tables = names(`select name from sqlite_schema where type in ('table', 'view') and name not glob 'sqlite_*'`);
    const isMigrated = tables.includes(DEFAULT_MIGRATION_TABLE);
    const isOnRecord = tables.includes(COMPATIBILITY_TABLE);
    const [record] = isOnRecord ? database.prepare(SELECT_OLDEST_SCHEMA).all() : [];
    return {
      tables,
      migrations: isMigrated ? names(`select name from ${DEFAULT_MIGRATION_TABLE}`) : [],
      oldestSchema: record && Number(record.oldest_schema),
    };
  } finally {
    database.close();
  }
}

/** A copy that was cut short can still begin as it should. */
function requireWhole(file: string, header: Buffer, size: number): void {
  const pageSize = header.readUInt16BE(16) === 1 ? 65_536 : header.readUInt16BE(16);
  const pages = header.readUInt32BE(28);
  const isPageCountValid = header.readUInt32BE(24) === header.readUInt32BE(92);
  if (!isPageCountValid || size >= pages * pageSize) return;
  throw new Failure(
    'bad_parameter',
    `${file} is damaged: only ${size} of its ${pages * pageSize} bytes are there. It was left as it is.`,
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
  return new Failure('bad_parameter', `${file} cannot be read as a database (${reason}). It was left as it is.`, {
    cause,
  });
}
