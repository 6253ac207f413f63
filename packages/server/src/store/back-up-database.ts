import { existsSync, realpathSync, statSync } from 'node:fs';
import { basename, dirname, join, resolve } from 'node:path';
import type { BackupOwner, BackupTotals } from '../domain/backup-schedule.ts';
import type { Clock } from '../domain/clock.ts';
import { Failure } from '../domain/failure.ts';
import { packBackup } from './engines/sqlite/backup-file.ts';
import { copySnapshot, countInCopy } from './engines/sqlite/copy-snapshot.ts';
import { logOf } from './engines/sqlite/database-file.ts';
import { requireSpace } from './engines/sqlite/free-space.ts';
import { inspectSqlite } from './engines/sqlite/inspect-sqlite.ts';
import { makeWholeFile, requireNoFile } from './engines/sqlite/unfinished-file.ts';
import { requireDatabase } from './require-database.ts';

export interface Backup {
  file: string;
  madeAt: number;
  bytes: number;
  databaseBytes: number;
  totals: BackupTotals;
}

/** Called with the part of a step that is done, from 0 to 1. */
export type StepProgress = (step: 'copied' | 'compressed' | 'verified' | 'unpacked', part: number) => void;

export interface BackupOptions {
  clock: Clock;
  signal: AbortSignal;
  progress: StepProgress;
  /** Called when nothing stands in the way any more, before the work begins. */
  onStart?: () => void;
}

/** Backs up an SQLite database, which may be in use, to a new file. The schema may be an older one. */
export async function backUpDatabase(
  databaseUrl: string,
  target: string,
  { clock, signal, progress, onStart }: BackupOptions,
): Promise<Backup> {
  const database = requireSqlite(databaseUrl, 'back up');
  await requireDatabase(databaseUrl);
  const file = resolve(target);
  requireOther(file, database);
  requireNoFile(file, 'Choose another name.');
  if (!existsSync(dirname(file))) throw new Failure('not_found', `The folder ${dirname(file)} does not exist.`);
  onStart?.();
  return makeWholeFile(file, async (folder) => {
    const [copy, packed] = [join(folder, 'rollcall.db'), join(folder, basename(file))];
    requireSpace(folder, file, sizeWithLog(database));
    const madeAt = clock.now();
    await copySnapshot(database, copy, { signal, progress: (done, all) => progress('copied', done / all) });
    progress('copied', 1);
    signal.throwIfAborted();
    const totals = countInCopy(copy, database);
    const manifest = { madeAt, databaseBytes: statSync(copy).size, totals };
    const work = { signal, progress: (done: number, all: number) => progress('compressed', done / all) };
    const bytes = await packBackup(copy, manifest, packed, work);
    signal.throwIfAborted();
    return { finished: packed, result: { file, bytes, ...manifest } };
  });
}

/** What the names of backups of this database say, or `undefined` if there is no such database yet. */
export async function backupOwnerOf(databaseUrl: string): Promise<BackupOwner | undefined> {
  return (await inspectSqlite(requireSqlite(databaseUrl, 'back up')))?.backupOwner;
}

function sizeWithLog(database: string): number {
  return statSync(database).size + (statSync(logOf(database), { throwIfNoEntry: false })?.size ?? 0);
}

const ON_POSTGRES = {
  'back up': 'Back up a PostgreSQL database with pg_dump, or with base backups for point-in-time recovery',
  restore: 'Restore a PostgreSQL database with pg_restore, or by point-in-time recovery',
};

/** The path of the database. PostgreSQL has its own tools. */
export function requireSqlite(databaseUrl: string, what: keyof typeof ON_POSTGRES): string {
  if (databaseUrl.startsWith('sqlite:')) return resolve(databaseUrl.slice('sqlite:'.length));
  throw new Failure('bad_parameter', `This command is for SQLite. ${ON_POSTGRES[what]}, as docs/backup.md describes.`);
}

/** Files of these names would be taken for the database, for its log, for the lock of whoever makes backups, or for the secret. */
function requireOther(file: string, database: string): void {
  const real = existsSync(dirname(file)) ? join(realpathSync(dirname(file)), basename(file)) : file;
  const parts = [database, realpathSync(database)].flatMap((each) => [
    ...['', '-wal', '-shm', '-journal', '-backup-lock'].map((end) => each + end),
    ...['', '.next'].map((end) => join(dirname(each), `rollcall.secret${end}`)),
  ]);
  if (!parts.includes(real) && !parts.includes(file)) return;
  throw new Failure(
    'bad_parameter',
    `${file} is a name of the database itself, or of a file that belongs to it. Choose another name for the backup.`,
  );
}
