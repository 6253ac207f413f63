import { linkSync, lstatSync, mkdtempSync, readdirSync, renameSync, rmSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { getSystemErrorMessage } from 'node:util';
import { Failure } from '../../../domain/failure.ts';
import { DatabaseUnavailable } from '../database-unavailable.ts';
import { tryLock } from './process-lock.ts';
import { syncFolderOf } from './sync-folder.ts';
import { DATABASE_CONTEXT, mapErrors } from './unavailable-errors.ts';

/** What a process that was killed has left. No command and no person takes it for what it was to become. */
const UNFINISHED = /^(.+)\.unfinished-\w{6}$/;

/** The database, and what SQLite keeps beside it. */
const DATABASE_PART = /^rollcall\.db(-wal|-shm|-journal)?$/;

/** Whoever makes the file has a lock on this one until it is done, or until its process ends, however it ends. */
const LOCK = 'rollcall.lock';

/** File systems without links, such as that of many USB sticks, fail with one of these. */
const NO_LINKS = ['EPERM', 'ENOSYS', 'ENOTSUP', 'EOPNOTSUPP', 'EMLINK'];

/**
 * Makes a file that gets its name only when it is complete, and never takes the name of another one. The work is done in a
 * folder beside it that only this user can read, and says where in it the finished file is.
 */
export async function makeWholeFile<T>(
  target: string,
  work: (folder: string) => Promise<{ finished: string; result: T }>,
  syncFolder = syncFolderOf,
): Promise<T> {
  return explaining(target, () => {
    removeAbandoned(dirname(target));
    return inLockedFolder(`${target}.unfinished-`, async (folder) => {
      const { finished, result } = await work(folder);
      giveName(finished, target);
      keepName(target, syncFolder);
      return result;
    });
  });
}

/** Runs the work with a folder that is removed afterwards. Later calls remove what a killed process has left there. */
export async function withTemporaryFolder<T>(parent: string, work: (folder: string) => Promise<T>): Promise<T> {
  return explaining(parent, () => {
    removeAbandoned(parent);
    return inLockedFolder(join(parent, 'rollcall.unfinished-'), work);
  });
}

/** Whether killed processes may have left something among these names. */
export function haveUnfinished(names: readonly string[]): boolean {
  return names.some((name) => UNFINISHED.test(name));
}

/** Removes what killed processes have left in this folder. */
export function removeAbandoned(parent: string): void {
  for (const name of readdirSync(parent)) {
    const [, target] = UNFINISHED.exec(name) ?? [];
    if (target !== undefined) removeIfAbandoned(join(parent, name), target);
  }
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

/** From here on, the file is there, whatever happens. */
function keepName(target: string, syncFolder: (file: string) => void): void {
  try {
    syncFolder(target);
  } catch (error) {
    const reason = reasonOf(error) ?? String(error);
    const message = `${target} is complete, but a power failure may undo its name, because its folder cannot be written to the disk: ${reason}.`;
    throw new Failure('unavailable', message, { cause: error });
  }
}

async function inLockedFolder<T>(prefix: string, work: (folder: string) => Promise<T>): Promise<T> {
  const folder = mkdtempSync(prefix);
  let lock: Lock | undefined;
  try {
    lock = lockNew(folder);
    return await work(folder);
  } finally {
    try {
      removeLocked(folder, lock);
    } catch {
      // What the work has achieved or not is what counts. A later call removes the rest.
    }
  }
}

type Lock = ReturnType<typeof tryLock>;

/** The file gets its name with the lock on it, because one without a lock is a sign that its maker has ended. */
function lockNew(folder: string): Lock {
  const [unnamed, file] = [join(folder, 'new.lock'), join(folder, LOCK)];
  const lock = mapErrors(() => tryLock(unnamed), { ...DATABASE_CONTEXT, name: 'the backup', file: unnamed });
  renameSync(unnamed, file);
  return lock;
}

/** The lock is kept to the last, but not longer: some file systems of a network remove no folder that has an open file. */
function removeLocked(folder: string, lock: Lock): void {
  try {
    const others = readdirSync(folder).filter((name) => name !== LOCK);
    for (const name of others) rmSync(join(folder, name), { force: true });
  } finally {
    lock?.release();
  }
  rmSync(folder, { recursive: true, force: true });
}

function removeIfAbandoned(folder: string, target: string): void {
  try {
    if (!isOurs(folder, target)) return;
    const lock = tryLock(join(folder, LOCK));
    if (lock) removeLocked(folder, lock);
  } catch {
    // Somebody else removes it, or this user may not. It is no reason to do nothing else.
  }
}

/** Only a folder of this user that contains a lock, and nothing else than what we put there, is ours. */
function isOurs(folder: string, target: string): boolean {
  const found = lstatSync(folder);
  if (!found.isDirectory() || found.uid !== (process.geteuid?.() ?? found.uid)) return false;
  const entries = readdirSync(folder, { withFileTypes: true });
  const isExpected = (name: string) => name === LOCK || name === target || DATABASE_PART.test(name);
  return (
    entries.some(({ name }) => name === LOCK) && entries.every((entry) => entry.isFile() && isExpected(entry.name))
  );
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
