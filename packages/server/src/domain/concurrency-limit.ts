import { Failure } from './failure.ts';

interface Waiting {
  start(): void;
  refuse(error: Failure): void;
}

/**
 * Runs a few tasks at a time and lets a bounded number wait. Further tasks are refused. Those who ask take turns: however many
 * tasks one of them has, the others wait for a few of these at most, and lose no place to them.
 */
export class ConcurrencyLimit {
  readonly #atOnce: number;
  readonly #waitingMax: number;
  readonly #refusal: string;
  /** By who asks, in the order of their turns. Nobody in it has an empty list. */
  readonly #waiting = new Map<string, Waiting[]>();
  #waitingCount = 0;
  #running = 0;
  /** How many tasks were refused. */
  refused = 0;

  /** `refusal` is the message for a task that may not wait. */
  constructor(limits: { atOnce: number; waitingMax: number; refusal: string }) {
    this.#atOnce = limits.atOnce;
    this.#waitingMax = limits.waitingMax;
    this.#refusal = limits.refusal;
  }

  async run<T>(work: () => Promise<T>, who = ''): Promise<T> {
    if (this.#running >= this.#atOnce) await this.#wait(who);
    else this.#running++;
    try {
      return await work();
    } finally {
      const next = this.#next();
      if (next) next.start();
      else this.#running--;
    }
  }

  #wait(who: string): Promise<void> {
    if (this.#waitingCount >= this.#waitingMax) this.#makeRoom(who);
    const { promise, resolve, reject } = Promise.withResolvers<void>();
    const own = this.#waiting.get(who) ?? [];
    own.push({ start: resolve, refuse: reject });
    this.#waiting.set(who, own);
    this.#waitingCount++;
    return promise;
  }

  /** The first task of the one whose turn it is. */
  #next(): Waiting | undefined {
    const [turn] = this.#waiting;
    if (!turn) return undefined;
    const [who, own] = turn;
    this.#waiting.delete(who);
    const next = own.shift();
    if (own.length > 0) this.#waiting.set(who, own);
    this.#waitingCount--;
    return next;
  }

  /** Refuses the last task of the one who has the most, if that is not the one who asks. */
  #makeRoom(who: string): void {
    this.refused++;
    const refusal = new Failure('rate_limited', this.#refusal, { retryAfterSeconds: 3 });
    const mine = (this.#waiting.get(who)?.length ?? 0) + 1;
    const most = [...this.#waiting.values()].reduce((a, b) => (b.length > a.length ? b : a), []);
    if (most.length <= mine) throw refusal;
    most.pop()?.refuse(refusal);
    this.#waitingCount--;
  }
}
