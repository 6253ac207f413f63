import { randomBytes } from 'node:crypto';
import { type BigIntStats, rmSync } from 'node:fs';
import { type FileHandle, lstat, open, readlink, realpath, rename, rm, stat } from 'node:fs/promises';
import { basename, dirname, join, resolve } from 'node:path';
import { getSystemErrorMessage } from 'node:util';
import type { Rejection } from '../../domain/clients/import-clients.ts';
import { Failure } from '../../domain/failure.ts';
import { rejectedRowLine, rejectedRowsHeader } from '../../files/write-rejected-rows.ts';

/** The rows are personal data, so only the user who ran the command may read them. */
const MODE = 0o600;
const BUFFER_LENGTH = 64 * 1024;
const LINKS_MAX = 40;

export interface RejectedRowsFile {
  add(rejection: Rejection): Promise<void>;
  /** Ends a completed import. The file has its rejected rows, or is empty, so that an old file is never taken for a new one. */
  finish(): Promise<void>;
  /** Ends a failed import. The file stays as it was, because the same rows are rejected again when the import is repeated. */
  abandon(): Promise<void>;
}

interface Target {
  handle: FileHandle;
  keep(): Promise<void>;
  discard(): Promise<void>;
}

/** Opens the file for the rejected rows. Refuses the file that is being imported, also under another name. */
export async function openRejectedRowsFile(file: string, source: BigIntStats): Promise<RejectedRowsFile> {
  const { handle, keep, discard } = await withReadableError(file, () => openTarget(file, source));
  let text = '';
  let begun = false;
  const write = async () => {
    await withReadableError(file, () => handle.appendFile(text));
    text = '';
  };
  return {
    add: async (rejection) => {
      if (!begun) text = rejectedRowsHeader();
      begun = true;
      text += rejectedRowLine(rejection);
      if (text.length > BUFFER_LENGTH) await write();
    },
    finish: async () => {
      await write();
      await withReadableError(file, keep);
    },
    abandon: discard,
  };
}

/** Writes a file under a temporary name and renames it when it is complete. Devices and pipes are written directly. */
async function openTarget(file: string, source: BigIntStats): Promise<Target> {
  const path = resolve(file);
  const present = await stat(path, { bigint: true }).catch(absent);
  if (present?.isFile() && present.dev === source.dev && present.ino === source.ino) {
    throw new Failure('bad_parameter', `${file} is the file to import; the rejected rows must go to another file.`);
  }
  if (present?.isFile() && (await isDatabase(await realpath(path)))) {
    throw new Failure('bad_parameter', `${file} is a database; the rejected rows must go to another file.`);
  }
  // /dev/stdout may be a file, which must not be replaced while it is being written.
  const isDevice = /^\/(dev|proc)\//.test(path) || (present && !present.isFile());
  return isDevice ? openDirectly(path) : openBeside(await followLinks(path));
}

const DATABASE_START = 'SQLite format 3\0';

/** Also true for the files beside a database: its write-ahead log, the index of that log, and its journal. */
async function isDatabase(path: string): Promise<boolean> {
  const handle = await open(path.replace(/-(wal|shm|journal)$/, ''), 'r').catch(absent);
  if (!handle) return false;
  try {
    const start = Buffer.alloc(DATABASE_START.length);
    await handle.read(start, 0, start.length, 0);
    return start.toString('latin1') === DATABASE_START;
  } finally {
    await handle.close();
  }
}

async function openDirectly(path: string): Promise<Target> {
  const handle = await open(path, 'w', MODE);
  const close = () => handle.close();
  return { handle, keep: close, discard: close };
}

async function openBeside(path: string): Promise<Target> {
  const temporary = join(dirname(path), `.${basename(path)}.${randomBytes(6).toString('hex')}`);
  const forget = removeAtExit(temporary);
  const handle = await open(temporary, 'wx', MODE).catch((error) => {
    forget();
    throw error;
  });
  return {
    handle,
    keep: async () => {
      await handle.sync();
      await handle.close();
      await rename(temporary, path);
      forget();
    },
    discard: async () => {
      await handle.close();
      await rm(temporary, { force: true });
      forget();
    },
  };
}

/** Removes the file even if the process has to exit at once. Returns a function that cancels this. */
function removeAtExit(temporary: string): () => void {
  const remove = () => rmSync(temporary, { force: true });
  process.on('exit', remove);
  return () => process.off('exit', remove);
}

/** The path that symbolic links lead to, even if no file is there yet: renaming onto a link would replace the link. */
async function followLinks(path: string, links = 0): Promise<string> {
  const inFolder = join(await realpath(dirname(path)), basename(path));
  const isLink = (await lstat(inFolder).catch(absent))?.isSymbolicLink();
  if (!isLink || links === LINKS_MAX) return inFolder;
  return followLinks(resolve(dirname(inFolder), await readlink(inFolder)), links + 1);
}

function absent(error: NodeJS.ErrnoException): undefined {
  if (error.code !== 'ENOENT') throw error;
}

async function withReadableError<T>(file: string, work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    const { errno } = error as NodeJS.ErrnoException;
    if (errno === undefined) throw error;
    const reason = getSystemErrorMessage(errno);
    throw new Failure('bad_parameter', `The rejected rows cannot be written to ${file}: ${reason}.`, { cause: error });
  }
}
