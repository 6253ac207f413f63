import { Failure } from './failure.ts';

/** Runs a few tasks at a time and lets a bounded number wait. Further tasks are refused. */
export class ConcurrencyLimit {
  readonly #atOnce: number;
  readonly #waitingMax: number;
  readonly #refusal: string;
  readonly #waiting: (() => void)[] = [];
  #running = 0;

  /** `refusal` is the message for a task that may not wait. */
  constructor(limits: { atOnce: number; waitingMax: number; refusal: string }) {
    this.#atOnce = limits.atOnce;
    this.#waitingMax = limits.waitingMax;
    this.#refusal = limits.refusal;
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
      throw new Failure('rate_limited', this.#refusal, { retryAfterSeconds: 3 });
    }
    return new Promise((resolve) => this.#waiting.push(resolve));
  }
}
