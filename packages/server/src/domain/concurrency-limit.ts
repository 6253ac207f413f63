import { Failure } from './failure.ts';

/** Lets a few through at a time and a bounded number wait: password hashing must not take the machine from the list. */
export class ConcurrencyLimit {
  readonly #atOnce: number;
  readonly #waitingMax: number;
  readonly #waiting: (() => void)[] = [];
  #inside = 0;

  constructor(limits: { atOnce: number; waitingMax: number }) {
    this.#atOnce = limits.atOnce;
    this.#waitingMax = limits.waitingMax;
  }

  async run<T>(work: () => Promise<T>): Promise<T> {
    if (this.#inside >= this.#atOnce) await this.#turn();
    else this.#inside++;
    try {
      return await work();
    } finally {
      const next = this.#waiting.shift();
      if (next) next();
      else this.#inside--;
    }
  }

  #turn(): Promise<void> {
    if (this.#waiting.length >= this.#waitingMax) {
      throw new Failure('rate_limited', 'Too many sign-ins at this moment. Try again in a few seconds.', {
        retryAfterSeconds: 3,
      });
    }
    return new Promise((resolve) => this.#waiting.push(resolve));
  }
}
