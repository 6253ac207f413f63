import { closeSync, mkdirSync, openSync, realpathSync, rmSync, statSync } from 'node:fs';
import { dirname } from 'node:path';
import { getSystemErrorMessage } from 'node:util';
import { Failure } from '../../../domain/failure.ts';
import { DATABASE_CONTEXT, mapErrors } from './unavailable-errors.ts';

// While a database file is open, SQLite keeps two files beside it: the write-ahead log and its index. SQLite finds them only
// by the name of the database file.
const LOG_SUFFIX = '-wal';
const INDEX_SUFFIX = '-shm';

/** Creates an empty file and its folders, unless the file exists. */
export function makeFile(file: string): void {
  const make = () => {
    makeFolder(dirname(file));
    closeSync(openSync(file, 'a', 0o600));
  };
  try {
    mapErrors(make, { ...DATABASE_CONTEXT, file });
  } catch (error) {
    throw cannotOpen(file, error);
  }
}

/** Creates one folder at a time, because a recursive call of Node never returns for a path such as /proc, where none can be created. */
export function makeFolder(folder: string): void {
  const present = statSync(folder, { throwIfNoEntry: false });
  if (present?.isDirectory()) return;
  if (present) throw new Failure('unavailable', `The database cannot be opened: ${folder} is not a folder.`);
  if (dirname(folder) !== folder) makeFolder(dirname(folder));
  try {
    mkdirSync(folder, { mode: 0o700 });
  } catch (error) {
    // Another process may have created it first.
    if (!statSync(folder, { throwIfNoEntry: false })?.isDirectory()) throw error;
  }
}

/** The failure with the reason of the operating system, in one line. */
export function cannotOpen(file: string, error: unknown): Failure {
  if (error instanceof Failure) return error;
  const { errno, message } = error as NodeJS.ErrnoException;
  const reason = typeof errno === 'number' ? getSystemErrorMessage(errno) : message;
  return new Failure('unavailable', `The database ${file} cannot be opened: ${reason}.`, { cause: error });
}

/** Distinguishes a file from another one of the same name. An inode alone could be reused for a later file. */
export function fileIdentity(file: string): string {
  const { dev, ino, birthtimeNs } = statSync(file, { bigint: true });
  return `${dev}:${ino}:${birthtimeNs}`;
}

export type FileState = 'in place' | 'gone' | 'replaced' | 'without its log';

/** An open database file. It keeps its inode, even if its name is removed or given to another file. */
export class OpenedFile {
  readonly inode: string;
  readonly #file: string;
  readonly #log: string;
  readonly #logInode: string | undefined;
  readonly #index: string;
  readonly #indexInode: string | undefined;

  /** Must be created after the database has been read, because SQLite then creates the files beside it. */
  constructor(file: string, inode: string) {
    this.#file = file;
    this.inode = inode;
    this.#log = logOf(file);
    this.#logInode = inodeOf(this.#log);
    this.#index = sideFile(file, INDEX_SUFFIX);
    this.#indexInode = inodeOf(this.#index);
  }

  /** A check takes about four microseconds. */
  state(): FileState {
    try {
      const inode = inodeOf(this.#file);
      if (inode === undefined) return 'gone';
      if (inode !== this.inode) return 'replaced';
      // Commits to a log that was removed are lost for processes that open the file later.
      return this.#logInode === inodeOf(this.#log) ? 'in place' : 'without its log';
    } catch {
      // The check failed, which says nothing about the file. The next read or write will report what is wrong.
      return 'in place';
    }
  }

  /**
   * Removes the log and index of this file. SQLite would otherwise treat them as part of the file that has the name now, and
   * so undo or damage what was restored.
   */
  removeSideFiles(): void {
    if (this.#logInode !== undefined && inodeOf(this.#log) === this.#logInode) rmSync(this.#log, { force: true });
    if (this.#indexInode !== undefined && inodeOf(this.#index) === this.#indexInode) {
      rmSync(this.#index, { force: true });
    }
  }
}

/** The path of the log of an existing file. */
export function logOf(file: string): string {
  return sideFile(file, LOG_SUFFIX);
}

/** SQLite follows symbolic links and keeps these files beside the target. */
function sideFile(file: string, suffix: string): string {
  return realpathSync(file) + suffix;
}

/** Returns `undefined` if the file does not exist. */
export function inodeOf(path: string): string | undefined {
  const stat = statSync(path, { bigint: true, throwIfNoEntry: false });
  return stat && `${stat.dev}:${stat.ino}`;
}
