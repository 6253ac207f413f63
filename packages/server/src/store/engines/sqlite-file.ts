import { realpathSync, rmSync, statSync } from 'node:fs';

/** What SQLite keeps beside a file while it is open. It belongs to that file, but goes by the name alone. */
const BESIDE = ['-wal', '-shm'];

/** What tells a file from another one of the same name; a number alone may be given to a later file. */
export function placeOf(file: string): string {
  const { dev, ino, birthtimeNs } = statSync(file, { bigint: true });
  return `${dev}:${ino}:${birthtimeNs}`;
}

/** A database file that is open, and so keeps its number, whatever happens to its name. */
export class OpenedFile {
  readonly #file: string;
  readonly #number: string | undefined;
  readonly #beside: ReadonlyMap<string, string | undefined>;

  /**
   * To be made once the database has been read, which is when SQLite makes what it keeps beside it. The number is that of
   * before it was opened: should yet another file have come since, that is noticed.
   */
  constructor(file: string, number: string | undefined) {
    this.#file = file;
    this.#number = number;
    // SQLite follows links, and keeps it beside what they lead to.
    const path = realpathSync(file);
    this.#beside = new Map(BESIDE.map((ending) => [path + ending, numberOf(path + ending)]));
  }

  /** A look costs some two microseconds. */
  state(): 'in place' | 'gone' | 'replaced' {
    const number = numberOf(this.#file);
    if (number === undefined) return 'gone';
    return number === this.#number ? 'in place' : 'replaced';
  }

  /**
   * Takes away what stands beside the name and belongs to this file: SQLite would take it for a part of the file that has
   * the name now, and so undo what was restored, or spoil it. Those who have it open go on with it.
   */
  removeBeside(): void {
    for (const [path, number] of this.#beside) {
      if (number !== undefined && numberOf(path) === number) rmSync(path, { force: true });
    }
  }
}

/** Of a file that is not there, or that cannot be looked at, there is none. */
export function numberOf(path: string): string | undefined {
  try {
    const stat = statSync(path, { bigint: true, throwIfNoEntry: false });
    return stat && `${stat.dev}:${stat.ino}`;
  } catch {
    return undefined;
  }
}
