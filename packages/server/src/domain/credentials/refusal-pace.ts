import { setTimeout as sleep } from 'node:timers/promises';

/** So many refusals per second are handed out at once, far more than a program gets that does as they say. */
const AT_ONCE_PER_SECOND = 100;

/** How much later the others are handed out. Not all after the same time, because many callers are refused in the same moment. */
const LATER_MS = 25;
const SPREAD_MS = 50;

/** So many may wait. One takes about 10 KB with its request. */
const WAITING_MAX = 1000;

/**
 * Slows down callers who ask again as soon as they are refused. A refusal takes a tenth of the time of an answer, so they would
 * get thousands per second, and others would wait for the processor meanwhile.
 */
export class RefusalPace {
  readonly #now: () => number;
  #secondBeganAt = Number.NEGATIVE_INFINITY;
  #inThisSecond = 0;
  #waiting = 0;

  /** `now` returns milliseconds of a clock that does not jump. */
  constructor(now: () => number) {
    this.#now = now;
  }

  /** Called for each refusal. Returns a promise only if it has to wait. */
  wait(): Promise<void> | undefined {
    const now = this.#now();
    if (now - this.#secondBeganAt >= 1000) {
      this.#secondBeganAt = now;
      this.#inThisSecond = 0;
    }
    if (++this.#inThisSecond <= AT_ONCE_PER_SECOND || this.#waiting >= WAITING_MAX) return undefined;
    this.#waiting++;
    return sleep(LATER_MS + (this.#inThisSecond % SPREAD_MS)).then(() => {
      this.#waiting--;
    });
  }
}
