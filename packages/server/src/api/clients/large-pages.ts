import { setImmediate as nextTurn } from 'node:timers/promises';
import { Failure } from '../../domain/failure.ts';

/** More clients than this make a page take its turn; fewer are read in less time than the turn would cost. */
export const LARGE_PAGE = 100;

/** At some five milliseconds each, whoever comes last still waits for less than two seconds. */
const WAITING_MAX = 300;

/**
 * Makes large pages one by one, with a turn of the event loop between them. A page of a thousand takes some forty times as
 * long as one of ten; made as they come, those of sixty callers would keep everybody else waiting for all sixty.
 */
export class LargePages {
  #last: Promise<unknown> = Promise.resolve();
  #waiting = 0;

  async make<T>(work: () => Promise<T>): Promise<T> {
    if (this.#waiting >= WAITING_MAX) {
      throw new Failure('unavailable', 'Service temporarily unavailable: too many large pages are asked for at once.');
    }
    this.#waiting++;
    const made = this.#last.then(() => nextTurn()).then(work);
    // That one could not be made is told to whoever asked for it, and to nobody after.
    this.#last = made.catch(() => {});
    try {
      return await made;
    } finally {
      this.#waiting--;
    }
  }
}
