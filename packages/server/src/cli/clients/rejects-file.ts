import { randomBytes } from 'node:crypto';
import { type BigIntStats, rmSync } from 'node:fs';
import { type FileHandle, lstat, open, readlink, realpath, rename, rm, stat } from 'node:fs/promises';
import { basename, dirname, join, resolve } from 'node:path';
import { getSystemErrorMessage } from 'node:util';
import type { Rejection } from '../../domain/clients/import-clients.ts';
import { Failure } from '../../domain/failure.ts';
import { rejectLine, rejectsHead } from '../../files/write-rejects.ts';

/** Personal data: for whoever ran the command, and nobody else. */
const MODE = 0o600;
const BUFFER_LENGTH = 64 * 1024;
const LINKS_MAX = 40;

export interface RejectsFile {
  add(rejection: Rejection): Promise<void>;
  /** The import is done: the file now has what was rejected, or nothing at all, so that an old one never looks current. */
  finish(): Promise<void>;
  /** The import failed: the file is as it was. What was rejected so far will be rejected again when it is repeated. */
  abandon(): Promise<void>;
}

interface Target {
  handle: FileHandle;
  keep(): Promise<void>;
  discard(): Promise<void>;
}

/** Where rejected rows go. Refuses the file that the rows come from, by whatever name it is called. */
export async function openRejectsFile(file: string, source: BigIntStats): Promise<RejectsFile> {
  const { handle, keep, discard } = await explained(file, () => openTarget(file, source));
  let text = '';
  let begun = false;
  const write = async () => {
    await explained(file, () => handle.appendFile(text));
    text = '';
  };
  return {
    add: async (rejection) => {
      if (!begun) text = rejectsHead();
      begun = true;
      text += rejectLine(rejection);
      if (text.length > BUFFER_LENGTH) await write();
    },
    finish: async () => {
      await write();
      await explained(file, keep);
    },
    abandon: discard,
  };
}

/** A file is written under another name and takes the place of the old one when it is whole; anything else directly. */
async function openTarget(file: string, source: BigIntStats): Promise<Target> {
  const path = resolve(file);
  const present = await stat(path, { bigint: true }).catch(absent);
  if (present?.isFile() && present.dev === source.dev && present.ino === source.ino) {
    throw new Failure('bad_parameter', `${file} is the file to import; the rejected rows must go to another one.`);
  }
  if (present?.isFile() && (await isDatabase(await realpath(path)))) {
    throw new Failure('bad_parameter', `${file} is a database; the rejected rows must go to another file.`);
  }
  // The standard output has a name there, and may be a file that must not be replaced while it is written to.
  const isDevice = /^\/(dev|proc)\//.test(path) || (present && !present.isFile());
  return isDevice ? openDirectly(path) : openBeside(await followLinks(path));
}

const DATABASE_START = 'SQLite format 3\0';

/** Also of what stands beside one: its log and the index of it. */
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

/** A command that has to end at once does not leave the file behind either. Returns how to forget about it. */
function removeAtExit(temporary: string): () => void {
  const remove = () => rmSync(temporary, { force: true });
  process.on('exit', remove);
  return () => process.off('exit', remove);
}

/** Where a name leads, also when there is nothing yet: renaming onto a link would replace the link. */
async function followLinks(path: string, links = 0): Promise<string> {
  const inFolder = join(await realpath(dirname(path)), basename(path));
  const isLink = (await lstat(inFolder).catch(absent))?.isSymbolicLink();
  if (!isLink || links === LINKS_MAX) return inFolder;
  return followLinks(resolve(dirname(inFolder), await readlink(inFolder)), links + 1);
}

function absent(error: NodeJS.ErrnoException): undefined {
  if (error.code !== 'ENOENT') throw error;
}

async function explained<T>(file: string, work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    const { errno } = error as NodeJS.ErrnoException;
    if (errno === undefined) throw error;
    const reason = getSystemErrorMessage(errno);
    throw new Failure('bad_parameter', `The rejected rows cannot be written to ${file}: ${reason}.`, { cause: error });
  }
}
