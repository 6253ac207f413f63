import { accessSync, constants, statfsSync } from 'node:fs';
import { DatabaseUnavailable, type UnavailableListener } from '../database-unavailable.ts';

const SQLITE_BUSY = 5;
const SQLITE_LOCKED = 6;
const TRANSIENT = [SQLITE_BUSY, SQLITE_LOCKED];

/** Result codes that are caused by the machine or its load and not by the statement. */
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

/** The error codes of the operating system, which may also explain why SQLite failed. */
const SYSTEM_REASONS: Record<string, (what: string) => string> = {
  ENOSPC: (what) => `the disk of ${what} is full`,
  EDQUOT: (what) => `the disk of ${what} is full, or the quota of this user is used up`,
  EROFS: (what) => `${what} is on a read-only file system`,
  EACCES: (what) => `this user may not write to ${what}`,
  EPERM: (what) => `this user may not write to ${what}`,
  EIO: (what) => `the disk of ${what} reports an I/O error`,
  EMFILE: () => 'this process has too many files open',
  ENFILE: () => 'this machine has too many files open',
};

/** These result codes give no exact reason, so the file and its disk are checked. */
const VAGUE = [8, 10, 14];

/** What the failing work was about. */
export interface ErrorContext {
  /** The name of the database in messages. */
  name: string;
  file?: string;
  report?: UnavailableListener;
}

export const DATABASE_CONTEXT: ErrorContext = { name: 'the database' };

/** Turns errors that are caused by the machine, and not by the statement, into `DatabaseUnavailable`. */
export function mapErrors<T>(work: () => T, context = DATABASE_CONTEXT): T {
  try {
    return work();
  } catch (error) {
    const failure = unavailableIn(error, context);
    if (!failure) throw error;
    context.report?.(failure);
    throw failure;
  }
}

export function isBusy(error: unknown): boolean {
  return resultCode(error instanceof DatabaseUnavailable ? error.cause : error) === SQLITE_BUSY;
}

function unavailableIn(cause: unknown, { name, file }: ErrorContext): DatabaseUnavailable | undefined {
  const code = resultCode(cause);
  if (code === undefined) {
    const reason = systemReason(cause);
    return reason && new DatabaseUnavailable(reason(name), { cause });
  }
  const reason = (VAGUE.includes(code) && file !== undefined && reasonOnDisk(file)) || REASONS[code];
  return reason && new DatabaseUnavailable(reason(name), { cause, isTransient: TRANSIENT.includes(code) });
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

/** The primary result code. The higher bits contain the extended code. */
function resultCode(error: unknown): number | undefined {
  const code = error instanceof Error && 'errcode' in error ? error.errcode : undefined;
  return typeof code === 'number' ? code & 0xff : undefined;
}
