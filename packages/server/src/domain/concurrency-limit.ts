import { Failure } from './failure.ts';

/** Runs a few tasks at a time and lets a bounded number wait, so that password hashing does not slow down the list of clients. */
export class ConcurrencyLimit {
  readonly #atOnce: number;
  readonly #waitingMax: number;
  readonly #waiting: (() => void)[] = [];
  #running = 0;

  constructor(limits: { atOnce: number; waitingMax: number }) {
    this.#atOnce = limits.atOnce;
    this.#waitingMax = limits.waitingMax;
  }

  async run<T>(work: () => Promise<T>): Promise<T> {
    if (this.#running >= this.#atOnce) await this.#wait();
    else this.#running++;
    try {
      return await work();
    } finally {
      const next = this.#waiting.shift();
      if (next) next();
      else this.#running--;
    }
  }

  #wait(): Promise<void> {
    if (this.#waiting.length >= this.#waitingMax) {
      throw new Failure('rate_limited', 'Too many sign-ins at the moment. Try again in a few seconds.', {
        retryAfterSeconds: 3,
      });
    }
    return new Promise((resolve) => this.#waiting.push(resolve));
  }
}
