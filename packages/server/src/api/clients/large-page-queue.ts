import { setImmediate as nextTurn } from 'node:timers/promises';
import { Failure } from '../../domain/failure.ts';

/** A page of more clients than this waits in the queue. Smaller ones are read in less time than the wait would cost. */
export const LARGE_PAGE_CLIENTS = 100;

/** At about five milliseconds for each page, the last in the queue still waits for less than two seconds. */
const WAITING_MAX = 300;

/**
 * Makes large pages one at a time, with a turn of the event loop between them. A page of a thousand clients takes about
 * forty times as long as one of ten. Without the queue, the large pages of sixty callers would keep all others waiting.
 */
export class LargePageQueue {
  #last: Promise<unknown> = Promise.resolve();
  #waiting = 0;

  async add<T>(work: () => Promise<T>): Promise<T> {
    if (this.#waiting >= WAITING_MAX) {
      throw new Failure('unavailable', 'Service temporarily unavailable: too many large pages are requested at once.');
    }
    this.#waiting++;
    const made = this.#last.then(() => nextTurn()).then(work);
    // A page that fails is reported to its own caller, not to those behind it.
    this.#last = made.catch(() => {});
    try {
      return await made;
    } finally {
      this.#waiting--;
    }
  }
}
