import { accessSync, constants, statfsSync } from 'node:fs';
import { type HearTrouble, Trouble } from '../trouble.ts';

const SQLITE_BUSY = 5;
const SQLITE_LOCKED = 6;
const PASSING = [SQLITE_BUSY, SQLITE_LOCKED];

/** Result codes that speak of the machine or of load, not of the statement. */
const REASONS: Record<number, (what: string) => string> = {
  [SQLITE_BUSY]: (what) => `${what} is busy with another write`,
  [SQLITE_LOCKED]: (what) => `${what} is busy with another write`,
  8 /* READONLY */: (what) => `${what} can only be read`,
  10 /* IOERR */: (what) => `the disk of ${what} reports an I/O error`,
  11 /* CORRUPT */: (what) => `the file of ${what} is damaged`,
  13 /* FULL */: (what) => `the disk of ${what} is full`,
  14 /* CANTOPEN */: (what) => `the file of ${what} cannot be opened`,
  26 /* NOTADB */: (what) => `the file of ${what} is damaged`,
};

/** What the operating system says, to us or when it is asked why SQLite failed. */
const SYSTEM_REASONS: Record<string, (what: string) => string> = {
  ENOSPC: (what) => `the disk of ${what} is full`,
  EDQUOT: (what) => `the disk of ${what} is full, or no more of it may be used by this user`,
  EROFS: (what) => `${what} is on a read-only file system`,
  EACCES: (what) => `this user may not write to ${what}`,
  EPERM: (what) => `this user may not write to ${what}`,
  EIO: (what) => `the disk of ${what} reports an I/O error`,
  EMFILE: () => 'this process has too many files open',
  ENFILE: () => 'this machine has too many files open',
};

/** SQLite says little more with these than that something failed; the file and its disk may tell what. */
const VAGUE = [8, 10, 14];

/** What failures are about. */
export interface Subject {
  /** What it is called in a sentence. */
  name: string;
  file?: string;
  tell?: HearTrouble;
}

export const A_DATABASE: Subject = { name: 'the database' };

/** Says in our own words what is the machine's fault and not the statement's. */
export function explaining<T>(work: () => T, subject = A_DATABASE): T {
  try {
    return work();
  } catch (error) {
    const trouble = troubleIn(error, subject);
    if (!trouble) throw error;
    subject.tell?.(trouble);
    throw trouble;
  }
}

export function isBusy(error: unknown): boolean {
  return resultCode(error instanceof Trouble ? error.cause : error) === SQLITE_BUSY;
}

function troubleIn(cause: unknown, { name, file }: Subject): Trouble | undefined {
  const code = resultCode(cause);
  if (code === undefined) {
    const reason = systemReason(cause);
    return reason && new Trouble(reason(name), { cause });
  }
  const reason = (VAGUE.includes(code) && file !== undefined && reasonOnDisk(file)) || REASONS[code];
  return reason && new Trouble(reason(name), { cause, passing: PASSING.includes(code) });
}

function reasonOnDisk(file: string): ((what: string) => string) | undefined {
  try {
    accessSync(file, constants.W_OK);
    return statfsSync(file).bavail === 0 ? SYSTEM_REASONS.ENOSPC : undefined;
  } catch (error) {
    return systemReason(error);
  }
}

function systemReason(error: unknown): ((what: string) => string) | undefined {
  return error instanceof Error && 'code' in error ? SYSTEM_REASONS[String(error.code)] : undefined;
}

/** The primary result code; SQLite keeps the finer reason in the higher bits. */
function resultCode(error: unknown): number | undefined {
  const code = error instanceof Error && 'errcode' in error ? error.errcode : undefined;
  return typeof code === 'number' ? code & 0xff : undefined;
}
