import { lstatSync, readdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import type { Logger } from 'pino';
import { runBackup } from './backup-process.ts';
import type { Config } from './config.ts';
import { backupName, isBackupDue, outdatedBackups } from './domain/backup-schedule.ts';
import type { Clock } from './domain/clock.ts';
import { oneAtATime } from './domain/one-at-a-time.ts';
import { regularly } from './regularly.ts';
import { tryLock } from './store/engines/sqlite/process-lock.ts';

/** How often it is checked whether a backup is due. */
const CHECK_MS = 30_000;

/** After a failure, the next attempt is made after this time. */
const RETRY_MS = 5 * 60_000;

/** A backup that takes longer than this, and longer than the time between two, hangs. */
const TIMEOUT_MIN_MS = 3_600_000;

export interface ScheduleDeps {
  clock: Clock;
  /** Makes a backup with this path. */
  makeBackup(file: string, signal: AbortSignal): Promise<{ bytes: number }>;
  /** Fails to return a lock while another process has it. */
  tryLock(): { release(): void } | undefined;
  logger: Logger;
}

export interface Schedule {
  folder: string;
  everyMs: number;
  keep: number;
}

/** Makes backups when they are due, also one that was missed while the service was down. Returns the function that stops it. */
export function startBackups(config: Config, clock: Clock, logger: Logger): () => Promise<void> {
  const { folder, everyMs, keep } = config.backups;
  if (folder === undefined) return async () => {};
  const timeoutMs = Math.max(everyMs, TIMEOUT_MIN_MS);
  const backups = new ScheduledBackups(
    { folder, everyMs, keep },
    {
      clock,
      makeBackup: (file, signal) => runBackup(file, { signal, timeoutMs }),
      tryLock: () => tryLock(`${config.databaseUrl.slice('sqlite:'.length)}-backup-lock`),
      logger,
    },
  );
  const work = { everyMs: CHECK_MS, atStart: true, run: backups.check, failure: 'making a backup failed' };
  const stopChecks = regularly(work, logger);
  return async () => {
    const stopped = backups.stop();
    await stopChecks();
    await stopped;
  };
}

export class ScheduledBackups {
  readonly #schedule: Schedule;
  readonly #deps: ScheduleDeps;
  readonly #stopping = new AbortController();
  /** Of several processes on one database, the one that has the lock makes all backups, until it ends. */
  #lock: { release(): void } | undefined;
  #isFailing = false;
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

  /** Interrupts a backup that is being made. */
  async stop(): Promise<void> {
    this.#stopping.abort();
    await this.check();
    this.#lock?.release();
    this.#lock = undefined;
  }

  async #backUpIfDue(): Promise<void> {
    const { folder, everyMs, keep } = this.#schedule;
    const { clock, makeBackup, logger } = this.#deps;
    const now = clock.now();
    if (!isBackupDue(readdirSync(folder), { now, everyMs })) return;
    const name = backupName(now);
    const { bytes } = await makeBackup(join(folder, name), this.#stopping.signal);
    logger.info({ backup: name, bytes }, this.#isFailing ? 'backups can be made again' : 'made a backup');
    this.#isFailing = false;
    for (const outdated of outdatedBackups(readdirSync(folder), { now, keep })) removeFile(join(folder, outdated));
  }

  /** A failure is reported when it begins; `backUpIfDue` reports its end. */
  #fail(error: unknown): void {
    if (this.#stopping.signal.aborted) return;
    this.#notBefore = performance.now() + RETRY_MS;
    const reason = error instanceof Error ? error.message : String(error);
    if (!this.#isFailing) {
      this.#deps.logger.error({ reason }, 'no backup can be made; it is tried again every five minutes');
    }
    this.#isFailing = true;
  }
}

/** A folder or a link of this name was made by somebody else. */
function removeFile(path: string): void {
  if (lstatSync(path).isFile()) rmSync(path);
}
