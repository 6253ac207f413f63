import { DatabaseSync } from 'node:sqlite';
import { isBusy } from './unavailable-errors.ts';

/**
 * Lets one process of a machine do something, until it releases the lock or ends, however it ends. Returns `undefined` if
 * another process has the lock. The file stays empty: what counts is the lock of SQLite on it, which the operating system keeps.
 */
export function tryLock(file: string): { release(): void } | undefined {
  const database = new DatabaseSync(file, { timeout: 0 });
  try {
    // No second file beside it, which a process that is killed would leave.
    database.exec('pragma journal_mode = memory');
    database.exec('begin exclusive');
    return { release: () => database.close() };
  } catch (error) {
    database.close();
    if (isBusy(error)) return undefined;
    throw error;
  }
}
