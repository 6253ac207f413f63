import { join } from 'node:path';
import type { Logger } from 'pino';
import { BackupFolder } from './backup-folder.ts';
import { removeLeftovers, runBackup } from './backup-process.ts';
import type { Config } from './config.ts';
import {
  type BackupOwner,
  backupName,
  isBackupDue,
  latestBackupAt,
  outdatedBackups,
} from './domain/backup-schedule.ts';
import type { Clock } from './domain/clock.ts';
import { Failure } from './domain/failure.ts';
import { oneAtATime } from './domain/one-at-a-time.ts';
import { regularly } from './regularly.ts';
import { backupOwnerOf } from './store/back-up-database.ts';
import { tryLock } from './store/engines/sqlite/process-lock.ts';
import { haveUnfinished } from './store/engines/sqlite/unfinished-file.ts';

/** How often it is checked whether a backup is due. */
const CHECK_MS = 30_000;

/** After a failure, the next attempt is made after this time. */
const RETRY_MS = 5 * 60_000;

/** A backup that takes longer than the time between two hangs, but none is expected to take less than an hour or more than a day. */
const TIMEOUT_MIN_MS = 3_600_000;
const TIMEOUT_MAX_MS = 24 * 3_600_000;

/** Longer than a process that makes a backup is given to stop. A disk that does not answer must not keep the service from ending. */
const STOP_TIMEOUT_MS = 10_000;

export interface ScheduleDeps {
  clock: Clock;
  /** Whose database it is. Backups of others may be in the same folder. */
  owner(): Promise<BackupOwner>;
  files: Pick<BackupFolder, 'list' | 'removeFile'>;
  /** Makes a backup with this path, and before that removes what others that were killed have left beside it. */
  makeBackup(file: string, signal: AbortSignal): Promise<{ bytes: number }>;
  /** Removes what backups that were killed have left in the folder. */
  removeLeftovers(signal: AbortSignal): Promise<void>;
  /** Fails to return a lock while another process has it. */
  tryLock(): { release(): void } | undefined;
  logger: Logger;
}

export interface Schedule {
  folder: string;
  everyMs: number;
  keep: number;
}

/** What metrics say about backups. */
export interface BackupState {
  /** When the newest one was made, or 0 if there is none, or if the folder could not be read yet. */
  latestAt: number;
  everyMs: number;
}

export interface RunningBackups {
  /** Only in the process that makes the backups. */
  state(): BackupState | undefined;
  stop(): Promise<void>;
}

/** Makes backups when they are due, also one that was missed while the service was down. */
export function startBackups(
  { databaseUrl, backups: { folder, everyMs, keep } }: Pick<Config, 'databaseUrl' | 'backups'>,
  clock: Clock,
  logger: Logger,
): RunningBackups | undefined {
  if (folder === undefined) return undefined;
  const timeoutMs = Math.min(Math.max(everyMs, TIMEOUT_MIN_MS), TIMEOUT_MAX_MS);
  const backups = new ScheduledBackups(
    { folder, everyMs, keep },
    {
      clock,
      owner: () => requireOwner(databaseUrl),
      files: new BackupFolder(folder),
      makeBackup: (file, signal) => runBackup(file, { databaseUrl, signal, timeoutMs }),
      removeLeftovers: (signal) => removeLeftovers(folder, { databaseUrl, signal, timeoutMs }),
      tryLock: () => tryLock(`${databaseUrl.slice('sqlite:'.length)}-backup-lock`),
      logger,
    },
  );
  const work = { everyMs: CHECK_MS, atStart: true, run: backups.check, failure: 'making a backup failed' };
  const stopChecks = regularly(work, logger);
  return {
    state: () => backups.state(),
    stop: () => {
      const stopped = backups.stop();
      // Its last check comes to nothing. It is not waited for, because the one before it may hang.
      void stopChecks();
      return stopped;
    },
  };
}

export class ScheduledBackups {
  readonly #schedule: Schedule;
  readonly #deps: ScheduleDeps;
  readonly #stopping = new AbortController();
  /** Of several processes on one database, the one that has the lock makes all backups, until it ends. */
  #lock: { release(): void } | undefined;
  #isFailing = false;
  #owner: BackupOwner | undefined;
  #latestAt = 0;
  /** Whether leftovers were looked for since the start. */
  #isTidy = false;
  /** By a clock that does not jump when the time of day is set. */
  #notBefore = 0;

  constructor(schedule: Schedule, deps: ScheduleDeps) {
    this.#schedule = schedule;
    this.#deps = deps;
  }

  /** Makes a backup if one is due. */
  readonly check = oneAtATime(async () => {
    if (this.#stopping.signal.aborted || performance.now() < this.#notBefore) return;
    try {
      this.#lock ??= this.#deps.tryLock();
      if (this.#lock) await this.#backUpIfDue();
    } catch (error) {
      this.#fail(error);
    }
  });

  state(): BackupState | undefined {
    return this.#lock && { latestAt: this.#latestAt, everyMs: this.#schedule.everyMs };
  }

  /** Interrupts a backup that is being made. */
  async stop(): Promise<void> {
    this.#stopping.abort();
    await within(STOP_TIMEOUT_MS, this.check());
    this.#lock?.release();
    this.#lock = undefined;
  }

  async #backUpIfDue(): Promise<void> {
    const { folder, everyMs, keep } = this.#schedule;
    const { clock, files, makeBackup, removeLeftovers, logger } = this.#deps;
    const now = clock.now();
    this.#owner ??= await this.#deps.owner();
    const owner = this.#owner;
    const names = await files.list();
    this.#latestAt = latestBackupAt(names, { now, owner }) ?? 0;
    const isTidy = this.#isTidy || !haveUnfinished(names);
    this.#isTidy = true;
    if (!isBackupDue(names, { now, owner, everyMs }))
      return isTidy ? undefined : removeLeftovers(this.#stopping.signal);
    const name = backupName(now, owner);
    const { bytes } = await makeBackup(join(folder, name), this.#stopping.signal);
    this.#latestAt = now;
    logger.info({ backup: name, bytes }, this.#isFailing ? 'backups can be made again' : 'made a backup');
    this.#isFailing = false;
    await this.#removeOutdated(outdatedBackups(await files.list(), { now, owner, keep }));
  }

  /** What cannot be removed only takes space: there is a new backup nevertheless. */
  async #removeOutdated(names: readonly string[]): Promise<void> {
    const reasons: string[] = [];
    for (const name of names) {
      try {
        await this.#deps.files.removeFile(name);
      } catch (error) {
        reasons.push(reasonOf(error));
      }
    }
    const [reason] = reasons;
    if (reason !== undefined)
      this.#deps.logger.warn({ reason, files: reasons.length }, 'outdated backups cannot be removed');
  }

  /** A failure is reported when it begins; `backUpIfDue` reports its end. */
  #fail(error: unknown): void {
    if (this.#stopping.signal.aborted) return;
    this.#notBefore = performance.now() + RETRY_MS;
    if (!this.#isFailing) {
      this.#deps.logger.error(
        { reason: reasonOf(error) },
        'no backup can be made; it is tried again every five minutes',
      );
    }
    this.#isFailing = true;
  }
}

async function requireOwner(databaseUrl: string): Promise<BackupOwner> {
  const owner = await backupOwnerOf(databaseUrl);
  if (owner === undefined) throw new Failure('unavailable', 'The database has no installation yet.');
  return owner;
}

function reasonOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}

/** Waits for the work, but not for longer than this time. */
async function within(timeoutMs: number, work: Promise<void>): Promise<void> {
  const { promise: overdue, resolve } = Promise.withResolvers<void>();
  const timer = setTimeout(resolve, timeoutMs);
  try {
    await Promise.race([work, overdue]);
  } finally {
    clearTimeout(timer);
  }
}
