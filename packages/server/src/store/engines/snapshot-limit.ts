import { Failure } from '../../domain/failure.ts';
import type { PoolUse, Snapshot } from './engine.ts';

/** Enough for the exports of a service and a few dry runs of imports. */
export const OPEN_SNAPSHOTS_MAX = 6;

const WAIT_MS = 5000;
const RETRY_AFTER_SECONDS = 10;

/**
 * Limits the number of open snapshots. Each has its own connection, and SQLite cannot shorten its write-ahead log while a
 * snapshot is open.
 */
export class SnapshotLimit {
  readonly #openOne: () => Promise<Snapshot>;
  readonly #waiting: (() => void)[] = [];
  #open = 0;

  constructor(openOne: () => Promise<Snapshot>) {
    this.#openOne = openOne;
  }

  get use(): PoolUse {
    return { pool: 'snapshots', used: this.#open, idle: 0, waiting: this.#waiting.length, max: OPEN_SNAPSHOTS_MAX };
  }

  async open(): Promise<Snapshot> {
    if (this.#open >= OPEN_SNAPSHOTS_MAX) await this.#wait();
    else this.#open++;
    try {
      const { db, close } = await this.#openOne();
      return { db, close: this.#once(close) };
    } catch (error) {
      this.#release();
      throw error;
    }
  }

  #once(close: () => Promise<void>): () => Promise<void> {
    let closing: Promise<void> | undefined;
    return () => {
      closing ??= close().finally(() => this.#release());
      return closing;
    };
  }

  #release(): void {
    const next = this.#waiting.shift();
    if (next) next();
    else this.#open--;
  }

  #wait(): Promise<void> {
    const { promise, resolve, reject } = Promise.withResolvers<void>();
    const timer = setTimeout(() => {
      this.#waiting.splice(this.#waiting.indexOf(begin), 1);
      const message =
        'Service temporarily unavailable: too many exports and dry runs of imports are running. Try again in a few seconds.';
      reject(new Failure('unavailable', message, { retryAfterSeconds: RETRY_AFTER_SECONDS }));
    }, WAIT_MS);
    const begin = () => {
      clearTimeout(timer);
      resolve();
    };
    this.#waiting.push(begin);
    return promise;
  }
}
