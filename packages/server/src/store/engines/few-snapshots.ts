import { Failure } from '../../domain/failure.ts';
import type { Snapshot } from './engine.ts';

/** Room for the exports of a service and for a few imports that are only tried. */
export const SNAPSHOTS_AT_ONCE = 6;

const WAIT_MS = 5000;
const RETRY_AFTER_SECONDS = 10;

/**
 * Hands out few snapshots at a time. Each has a connection of its own, and as long as one is open, an embedded database
 * keeps everything that was changed since.
 */
export class FewSnapshots {
  readonly #openOne: () => Promise<Snapshot>;
  readonly #waiting: (() => void)[] = [];
  #open = 0;

  constructor(openOne: () => Promise<Snapshot>) {
    this.#openOne = openOne;
  }

  async open(): Promise<Snapshot> {
    if (this.#open >= SNAPSHOTS_AT_ONCE) await this.#turn();
    else this.#open++;
    try {
      const { db, close } = await this.#openOne();
      return { db, close: this.#once(close) };
    } catch (error) {
      this.#giveBack();
      throw error;
    }
  }

  #once(close: () => Promise<void>): () => Promise<void> {
    let closing: Promise<void> | undefined;
    return () => {
      closing ??= close().finally(() => this.#giveBack());
      return closing;
    };
  }

  #giveBack(): void {
    const next = this.#waiting.shift();
    if (next) next();
    else this.#open--;
  }

  #turn(): Promise<void> {
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
