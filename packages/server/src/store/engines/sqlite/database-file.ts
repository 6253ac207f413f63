import { closeSync, mkdirSync, openSync, realpathSync, rmSync, statSync } from 'node:fs';
import { dirname } from 'node:path';
import { getSystemErrorMessage } from 'node:util';
import { Failure } from '../../../domain/failure.ts';
import { A_DATABASE, explaining } from './failures.ts';

// What SQLite keeps beside a file while it is open: the log, and the index of it. They belong to that file, but go by its
// name alone.
const LOG = '-wal';
const INDEX = '-shm';

/** Makes an empty file, and the folders that lead to it, unless it is there. */
export function makeFile(file: string): void {
  const make = () => {
    makeFolder(dirname(file));
    closeSync(openSync(file, 'a', 0o600));
  };
  try {
    explaining(make, { ...A_DATABASE, file });
  } catch (error) {
    throw cannotOpen(file, error);
  }
}

/** One by one: asked for all of them at once, Node never comes back from a place such as /proc, where none can be made. */
function makeFolder(folder: string): void {
  const present = statSync(folder, { throwIfNoEntry: false });
  if (present?.isDirectory()) return;
  if (present) throw new Failure('unavailable', `The database cannot be opened: ${folder} is not a folder.`);
  if (dirname(folder) !== folder) makeFolder(dirname(folder));
  try {
    mkdirSync(folder, { mode: 0o700 });
  } catch (error) {
    // Another process may have been quicker.
    if (!statSync(folder, { throwIfNoEntry: false })?.isDirectory()) throw error;
  }
}

/** What the system says about the file of a database, in one line. */
export function cannotOpen(file: string, error: unknown): Failure {
  if (error instanceof Failure) return error;
  const { errno, message } = error as NodeJS.ErrnoException;
  const reason = typeof errno === 'number' ? getSystemErrorMessage(errno) : message;
  return new Failure('unavailable', `The database ${file} cannot be opened: ${reason}.`, { cause: error });
}

/** What tells a file from another one of the same name; a number alone may be given to a later file. */
export function placeOf(file: string): string {
  const { dev, ino, birthtimeNs } = statSync(file, { bigint: true });
  return `${dev}:${ino}:${birthtimeNs}`;
}

export type FileState = 'in place' | 'gone' | 'replaced' | 'without its log';

/** A database file that is open, and so keeps its number, whatever happens to its name. */
export class OpenedFile {
  readonly #file: string;
  readonly #number: string;
  readonly #log: string;
  readonly #logNumber: string | undefined;
  readonly #index: string;
  readonly #indexNumber: string | undefined;

  /** To be made once the database has been read, which is when SQLite makes what it keeps beside it. */
  constructor(file: string, number: string) {
    this.#file = file;
    this.#number = number;
    this.#log = logOf(file);
    this.#logNumber = numberOf(this.#log);
    this.#index = beside(file, INDEX);
    this.#indexNumber = numberOf(this.#index);
  }

  /** A look costs some four microseconds. */
  state(): FileState {
    try {
      const number = numberOf(this.#file);
      if (number === undefined) return 'gone';
      if (number !== this.#number) return 'replaced';
      // What is committed to a log without a name is found by nobody who opens the file.
      return this.#logNumber === numberOf(this.#log) ? 'in place' : 'without its log';
    } catch {
      // It cannot be looked at, which says nothing about it; whoever reads or writes will hear what is wrong.
      return 'in place';
    }
  }

  /**
   * Takes away what stands beside the name and belongs to this file: SQLite would take it for a part of the file that has
   * the name now, and so undo what was restored, or spoil it.
   */
  removeBeside(): void {
    if (this.#logNumber !== undefined && numberOf(this.#log) === this.#logNumber) rmSync(this.#log, { force: true });
    if (this.#indexNumber !== undefined && numberOf(this.#index) === this.#indexNumber) {
      rmSync(this.#index, { force: true });
    }
  }
}

/** The path of the log of a file that is there. */
export function logOf(file: string): string {
  return beside(file, LOG);
}

/** SQLite follows links, and keeps these beside what they lead to. */
function beside(file: string, ending: string): string {
  return realpathSync(file) + ending;
}

/** Of a file that is not there, there is none. */
export function numberOf(path: string): string | undefined {
  const stat = statSync(path, { bigint: true, throwIfNoEntry: false });
  return stat && `${stat.dev}:${stat.ino}`;
}
