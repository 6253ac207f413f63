import { backup, DatabaseSync } from 'node:sqlite';
import { pathToFileURL } from 'node:url';
import type { BackupTotals } from '../../../domain/backup-schedule.ts';
import { Failure } from '../../../domain/failure.ts';
import type { BackupWork } from './backup-file.ts';
import { openReader } from './open-file.ts';
import { DATABASE_CONTEXT, mapErrors } from './unavailable-errors.ts';

/** About 4 MiB, so that it can be stopped soon. */
const PAGES_AT_ONCE = 1024;

/** Every page is read once. */
const CACHE_KIB = 1024;

/** A check goes from indexes to rows in any order. */
const CHECK_CACHE_KIB = 64 * 1024;

/**
 * Copies a database while others write to it. The transaction that is open meanwhile makes it one snapshot: without it, SQLite
 * would begin again whenever another process has written, and might never finish.
 */
export async function copySnapshot(file: string, target: string, { signal, progress }: BackupWork): Promise<void> {
  const source = openReader(file, CACHE_KIB);
  try {
    source.exec('begin; select count(*) from sqlite_schema');
    await backup(source, target, {
      rate: PAGES_AT_ONCE,
      progress: ({ totalPages, remainingPages }) => {
        signal.throwIfAborted();
        progress(totalPages - remainingPages, totalPages);
      },
    });
  } catch (error) {
    throw mapErrors(() => raise(error), { ...DATABASE_CONTEXT, file: target });
  } finally {
    source.close();
  }
}

function raise(error: unknown): never {
  throw error;
}

/** Counts what is in a copy that nobody has opened. Fails if the copy is damaged, so that no such backup replaces a good one. */
export function countInCopy(copy: string, name: string): BackupTotals {
  const database = openUnused(copy);
  try {
    const problem = firstProblem(database, 'quick_check');
    if (problem !== undefined) {
      throw new Failure('conflict', `${name} is damaged (${problem}). No backup was made; keep the earlier ones.`);
    }
    const count = (table: string) => Number(database.prepare(`select count(*) as rows from ${table}`).get()?.rows);
    return { workspaces: count('workspaces'), groups: count('groups'), clients: count('clients') };
  } finally {
    database.close();
  }
}

/** The first problem that SQLite finds in a file that nobody has opened. */
export function findDamage(file: string): string | undefined {
  const database = openUnused(file);
  try {
    return firstProblem(database, 'integrity_check');
  } finally {
    database.close();
  }
}

/** The first trigger or view in a file that nobody has opened. Rollcall makes none, and a trigger changes data by itself. */
export function findForeign(file: string): string | undefined {
  const database = openUnused(file);
  try {
    const found = database.prepare(`select type, name from sqlite_schema where type in ('trigger', 'view')`).get();
    return found && `the ${found.type} ${JSON.stringify(found.name)}`;
  } catch {
    // It is no database, which whoever reads it next explains.
    return undefined;
  } finally {
    database.close();
  }
}

function firstProblem(database: DatabaseSync, check: 'quick_check' | 'integrity_check'): string | undefined {
  try {
    const result = String(database.prepare(`pragma ${check}(1)`).get()?.[check]);
    // The first line may be a heading.
    return result === 'ok' ? undefined : result.split('\n').at(-1);
  } catch (error) {
    // The check itself fails if a page makes no sense.
    return error instanceof Error ? error.message : String(error);
  }
}

/** Without files beside it, and without looking for any. */
function openUnused(file: string): DatabaseSync {
  const address = pathToFileURL(file);
  address.search = 'immutable=1';
  const database = new DatabaseSync(address, { readOnly: true });
  database.exec(`pragma cache_size = -${CHECK_CACHE_KIB}`);
  return database;
}
