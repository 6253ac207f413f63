import { dirname, join } from 'node:path';
import { Failure } from '../domain/failure.ts';
import { requireSqlite, type StepProgress } from './back-up-database.ts';
import { BackupFile, type BackupManifest } from './engines/sqlite/backup-file.ts';
import { findDamage, findForeign } from './engines/sqlite/copy-snapshot.ts';
import { makeFolder } from './engines/sqlite/database-file.ts';
import { requireSpace } from './engines/sqlite/free-space.ts';
import { inspectSqlite } from './engines/sqlite/inspect-sqlite.ts';
import { adoptRestoredFile } from './engines/sqlite/open-file.ts';
import { makeWholeFile, requireNoFile, withTemporaryFolder } from './engines/sqlite/unfinished-file.ts';
import { requireUsable } from './require-database.ts';

export interface RestoreWork {
  signal: AbortSignal;
  progress: StepProgress;
}

export interface Restored extends BackupManifest {
  database: string;
  /** The id of the secret that the database was encrypted with, or null if nothing in it is encrypted. */
  secretId: string | null;
}

/** Makes a new SQLite database from a backup. Its schema is left as it is. */
export async function restoreDatabase(backup: string, databaseUrl: string, work: RestoreWork): Promise<Restored> {
  const database = requireSqlite(databaseUrl, 'restore');
  const advice = 'Stop the service, and move the database, its -wal and its -shm file away first.';
  // SQLite would take the log of an earlier database for a part of the new one.
  for (const end of ['', '-wal', '-shm', '-journal']) requireNoFile(database + end, advice);
  return withBackup(backup, work, async (file) => {
    makeFolder(dirname(database));
    return makeWholeFile(database, async (folder) => {
      requireSpace(folder, database, file.manifest.databaseBytes);
      const finished = await unpack(file, backup, folder, work);
      requireUndamaged(finished, backup);
      const secretId = await adoptRestoredFile(finished);
      work.signal.throwIfAborted();
      return { finished, result: { ...file.manifest, database, secretId } };
    });
  });
}

/** Runs the work, which has to check it, on a database that was restored from a backup, and removes it afterwards. */
export async function withRestored<T>(
  backup: string,
  parent: string,
  work: RestoreWork,
  use: (databaseUrl: string, manifest: BackupManifest) => Promise<T>,
): Promise<T> {
  return withBackup(backup, work, (file) =>
    withTemporaryFolder(parent, async (folder) => {
      requireSpace(folder, parent, file.manifest.databaseBytes);
      const restored = await unpack(file, backup, folder, work);
      return use(`sqlite:${restored}`, file.manifest);
    }),
  );
}

/** Nothing is unpacked before every byte of the backup was found to be as it was written. */
async function withBackup<T>(
  path: string,
  { signal, progress }: RestoreWork,
  use: (file: BackupFile) => Promise<T>,
): Promise<T> {
  const file = await BackupFile.open(path);
  try {
    await file.verify({ signal, progress: (done, all) => progress('verified', done / all) });
    return await use(file);
  } finally {
    await file.close();
  }
}

async function unpack(
  file: BackupFile,
  path: string,
  folder: string,
  { signal, progress }: RestoreWork,
): Promise<string> {
  const restored = join(folder, 'rollcall.db');
  await file.unpack(restored, { signal, progress: (done, all) => progress('unpacked', done / all) });
  requireNothingForeign(restored, path);
  requireUsable(`in the backup ${path}`, (await inspectSqlite(restored)) ?? { tables: [], migrations: [] });
  return restored;
}

/** Before anything is written to it, which would run a trigger, and before anything is read that may be a view. */
function requireNothingForeign(restored: string, backup: string): void {
  const foreign = findForeign(restored);
  if (foreign === undefined) return;
  throw new Failure(
    'conflict',
    `The database in the backup ${backup} contains ${foreign}, which Rollcall has not made. It was not used; take another backup.`,
  );
}

function requireUndamaged(restored: string, backup: string): void {
  const damage = findDamage(restored);
  if (damage === undefined) return;
  throw new Failure('conflict', `The database in the backup ${backup} is damaged (${damage}). Take another backup.`);
}
