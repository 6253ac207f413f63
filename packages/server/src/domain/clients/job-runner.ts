import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Clock } from '../clock.ts';
import { isFailure } from '../failure.ts';

/** How many jobs, of different workspaces, a process runs at the same time. */
const AT_ONCE = 4;

/** How often an idle process looks for a job that another one has stored, or has not finished. */
const LOOK_MS = 1000;

/** A process that runs a job says so again and again. If it does not for this long, another one goes on. */
export const RUN_LEASE_MS = 15_000;

/** Several times within a lease, because a busy process may be late. */
const RENEW_MS = 3000;

/** A job that was begun so often without getting any further would never end. */
export const ATTEMPTS_MAX = 10;

/** A database that is unavailable for a while only interrupts a job. */
const UNAVAILABLE_PAUSE_MS = 1000;

/** Jobs that are not over. */
export interface OpenJobs {
  waiting: number;
  running: number;
}

/** Which process runs which job. */
export interface JobBooks<Job> {
  /** Takes the next job that nobody runs, the workspaces in turn, with at most one for each. */
  claim(runner: string, now: number): Promise<Job | undefined>;
  /** Says that the job goes on. Returns false if it has ended or another process runs it. */
  renew(job: Job, runner: string, now: number): Promise<boolean>;
  countOpen(): Promise<OpenJobs>;
}

export interface JobRunnerDeps<Job> {
  books: JobBooks<Job>;
  clock: Clock;
  /** Runs a job to its end, or until the signal is aborted. */
  run(job: Job, runner: string, signal: AbortSignal): Promise<void>;
  /** Told about what should not have happened. */
  onDefect(error: unknown): void;
}

/** Runs the jobs that are stored in the database, one for each workspace at a time. */
export class JobRunner<Job> {
  readonly #deps: JobRunnerDeps<Job>;
  readonly #stopping = new AbortController();
  readonly #running = new Set<Promise<void>>();
  readonly #loop: Promise<void>;
  #wake = () => {};

  constructor(deps: JobRunnerDeps<Job>) {
    this.#deps = deps;
    this.#loop = this.#lookForever();
  }

  /** There may be something to do now. */
  wake(): void {
    this.#wake();
  }

  /** Resolves when the transactions in progress are committed. Other processes go on with the jobs. */
  async stop(): Promise<void> {
    this.#stopping.abort();
    this.#wake();
    await this.#loop;
    await Promise.all(this.#running);
  }

  async #lookForever(): Promise<void> {
    while (!this.#stopping.signal.aborted) {
      // Another one for each claim, so that a run that has lost its job never takes that of a later claim for its own.
      const runner = randomUUID();
      const job = this.#running.size < AT_ONCE ? await this.#claim(runner) : undefined;
      if (job) this.#start(job, runner);
      // Not if it was stopped while it looked: nothing would wake it.
      else if (!this.#stopping.signal.aborted) await this.#rest();
    }
  }

  async #claim(runner: string): Promise<Job | undefined> {
    try {
      return await this.#deps.books.claim(runner, this.#deps.clock.now());
    } catch (error) {
      if (!isFailure(error)) this.#deps.onDefect(error);
      return undefined;
    }
  }

  #rest(): Promise<void> {
    const { promise, resolve } = Promise.withResolvers<void>();
    const timer = setTimeout(resolve, LOOK_MS);
    timer.unref();
    this.#wake = resolve;
    return promise.finally(() => clearTimeout(timer));
  }

  #start(job: Job, runner: string): void {
    const run = this.#run(job, runner)
      .catch(this.#deps.onDefect)
      .finally(() => {
        this.#running.delete(run);
        this.#wake();
      });
    this.#running.add(run);
  }

  async #run(job: Job, runner: string): Promise<void> {
    const stop = new AbortController();
    const renewing = setInterval(() => void this.#renew(job, runner, stop), RENEW_MS);
    renewing.unref();
    try {
      await this.#deps.run(job, runner, AbortSignal.any([stop.signal, this.#stopping.signal]));
    } finally {
      clearInterval(renewing);
    }
  }

  async #renew(job: Job, runner: string, stop: AbortController): Promise<void> {
    const { books, clock } = this.#deps;
    try {
      if (!(await books.renew(job, runner, clock.now()))) stop.abort();
    } catch (error) {
      // If the database stays away for longer than the lease, the next transaction finds out that another process runs the job.
      if (!isFailure(error, 'unavailable')) this.#deps.onDefect(error);
    }
  }
}

/** Tries again while the database is unavailable, until the lease is over. */
export async function persist<T>(clock: Clock, signal: AbortSignal, work: () => Promise<T>): Promise<T> {
  const until = clock.now() + RUN_LEASE_MS;
  for (;;) {
    try {
      return await work();
    } catch (error) {
      if (!isFailure(error, 'unavailable') || clock.now() > until) throw error;
      await sleep(UNAVAILABLE_PAUSE_MS, undefined, { signal });
    }
  }
}

/** Why a job has failed, in words for the member. `what` is the job, such as `import`. */
export function reasonOfEnd(error: unknown, what: string): string {
  if (!isFailure(error)) return 'Internal error.';
  if (error.code !== 'forbidden' && error.code !== 'invalid_access_token') return error.message;
  return `The member or the API key that started the ${what} may no longer change clients.`;
}
