import { linkSync, lstatSync, mkdtempSync, readdirSync, renameSync, rmSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { getSystemErrorMessage } from 'node:util';
import { Failure } from '../../../domain/failure.ts';
import { DatabaseUnavailable } from '../database-unavailable.ts';
import { syncFolderOf } from './sync-folder.ts';

/** What a process that was killed has left. No command and no person takes it for what it was to become. */
const UNFINISHED = /^(.+)\.unfinished-\w{6}$/;

/** The database, and what SQLite keeps beside it. */
const DATABASE_PART = /^rollcall\.db(-wal|-shm|-journal)?$/;

/** Somebody who still works on it has changed it since. */
const ABANDONED_AFTER_MS = 3_600_000;

/** File systems without links, such as that of many USB sticks, fail with one of these. */
const NO_LINKS = ['EPERM', 'ENOSYS', 'ENOTSUP', 'EOPNOTSUPP', 'EMLINK'];

/**
 * Makes a file that gets its name only when it is complete, and never takes the name of another one. The work is done in a
 * folder beside it that only this user can read, and says where in it the finished file is.
 */
export async function makeWholeFile<T>(
  target: string,
  work: (folder: string) => Promise<{ finished: string; result: T }>,
): Promise<T> {
  return explaining(target, async () => {
    removeAbandoned(dirname(target));
    const folder = mkdtempSync(`${target}.unfinished-`);
    try {
      const { finished, result } = await work(folder);
      giveName(finished, target);
      syncFolderOf(target);
      return result;
    } finally {
      rmSync(folder, { recursive: true, force: true });
    }
  });
}

/** Runs the work with a folder that is removed afterwards. Later calls remove what a killed process has left there. */
export async function withTemporaryFolder<T>(parent: string, work: (folder: string) => Promise<T>): Promise<T> {
  return explaining(parent, async () => {
    removeAbandoned(parent);
    const folder = mkdtempSync(join(parent, 'rollcall.unfinished-'));
    try {
      return await work(folder);
    } finally {
      rmSync(folder, { recursive: true, force: true });
    }
  });
}

export function requireNoFile(path: string, advice: string): void {
  if (lstatSync(path, { throwIfNoEntry: false })) {
    throw new Failure('conflict', `${path} already exists and is never overwritten. ${advice}`);
  }
}

/** Unlike a rename, a link fails if the name is taken. */
function giveName(file: string, target: string): void {
  try {
    linkSync(file, target);
  } catch (error) {
    const { code = '' } = error as NodeJS.ErrnoException;
    if (code === 'EEXIST') requireNoFile(target, 'It was made by somebody else in the meantime; nothing was changed.');
    if (!NO_LINKS.includes(code)) throw error;
    requireNoFile(target, 'Nothing was changed.');
    renameSync(file, target);
  }
}

function removeAbandoned(parent: string): void {
  for (const name of readdirSync(parent)) {
    const [, target] = UNFINISHED.exec(name) ?? [];
    if (target !== undefined && isAbandoned(join(parent, name), target)) {
      rmSync(join(parent, name), { recursive: true, force: true });
    }
  }
}

/** Only a folder that contains nothing else than what we put there is ours. */
function isAbandoned(folder: string, target: string): boolean {
  try {
    if (!lstatSync(folder).isDirectory()) return false;
    const names = readdirSync(folder);
    if (!names.every((name) => name === target || DATABASE_PART.test(name))) return false;
    const paths = [folder, ...names.map((name) => join(folder, name))];
    return paths.every((path) => lstatSync(path).mtimeMs < Date.now() - ABANDONED_AFTER_MS);
  } catch {
    // Somebody else removes it, or it belongs to another user.
    return false;
  }
}

/** Says in one line what could not be written, and why. */
async function explaining<T>(path: string, work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    const reason = reasonOf(error);
    if (reason === undefined) throw error;
    const message = `${path} cannot be written: ${reason}. Nothing was left there.`;
    throw new Failure('unavailable', message, { cause: error });
  }
}

function reasonOf(error: unknown): string | undefined {
  if (error instanceof DatabaseUnavailable) return error.reason;
  const { errno, syscall } = error as NodeJS.ErrnoException;
  return typeof errno === 'number' && syscall !== undefined ? getSystemErrorMessage(errno) : undefined;
}
