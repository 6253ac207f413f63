import { settledWithin, sleep } from './abortable.ts';
import type { FetchResponse } from './fetch.ts';
import { readRateLimit } from './rate-limit-fields.ts';

/** A call that may wait without limit looks again after this time, whatever the service has said. */
const WAIT_MAX_MS = 3_600_000;

/** Timers may be a little early, and a call that arrives too early is refused for a second. */
const MARGIN_MS = 1;

/** What the service has said, and the time at which all calls will be there again if those in flight are not counted. */
interface Estimate {
  quota: number;
  /** How long it takes until one more call is there. */
  intervalMs: number;
  fullAt: number;
}

/**
 * Slows calls down so that the service need not refuse them. Every answer says how many calls are left. From then on, calls
 * in flight are subtracted and calls that come back with time are added. A call that would find nothing left waits.
 */
export class Pace {
  /** Unknown until there is an answer, and if the service does not limit calls. */
  #estimate: Estimate | undefined;
  #inFlight = 0;
  /** Whether several calls were in flight at the same time since there were none. */
  #isCrowded = false;
  #waiting = 0;
  #lastTurn: Promise<void> = Promise.resolve();

  /**
   * Makes a call when there is one left, after all calls that already wait. It never waits for longer than `waitMaxMs`, whatever
   * the limits of the calls before it: the service then says how long it takes. The call must pass its answers on.
   */
  async run<T>(
    waitMaxMs: number,
    signal: AbortSignal | undefined,
    call: (onAnswer: (response: FetchResponse) => void) => Promise<T>,
  ): Promise<T> {
    if (this.#waiting === 0 && this.#waitMs() === 0) this.#begin();
    else await this.#beginInTurn(performance.now() + waitMaxMs, signal);
    try {
      return await call((response) => this.#onAnswer(response));
    } finally {
      this.#inFlight--;
      if (this.#inFlight === 0) this.#isCrowded = false;
    }
  }

  #begin(): void {
    this.#inFlight++;
    if (this.#inFlight > 1) this.#isCrowded = true;
  }

  #beginInTurn(deadline: number, signal: AbortSignal | undefined): Promise<void> {
    this.#waiting++;
    const previous = this.#lastTurn;
    const mine = this.#beginAfter(previous, deadline, signal);
    // Settles to nothing, because each result would otherwise contain that of the turn before it, back to the first.
    this.#lastTurn = Promise.allSettled([previous, mine]).then(() => undefined);
    return mine.finally(() => {
      this.#waiting--;
    });
  }

  async #beginAfter(previous: Promise<void>, deadline: number, signal: AbortSignal | undefined): Promise<void> {
    const leftMs = deadline - performance.now();
    // With calls before it, it takes even longer.
    if (this.#waitMs() <= leftMs) await settledWithin(previous, leftMs, signal);
    // Again and again, because the answers of other calls change what is left.
    for (let waitMs = this.#waitMs(); waitMs > 0; waitMs = this.#waitMs()) {
      if (performance.now() + waitMs > deadline) break;
      await sleep(waitMs, signal);
    }
    this.#begin();
  }

  #waitMs(): number {
    if (!this.#estimate) return 0;
    const { quota, intervalMs, fullAt } = this.#estimate;
    const untilFullMs = Math.max(0, fullAt - performance.now());
    const waitMs = untilFullMs + (this.#inFlight + 1 - quota) * intervalMs;
    return waitMs <= 0 ? 0 : Math.min(waitMs, WAIT_MAX_MS) + MARGIN_MS;
  }

  /**
   * The answers to calls that were in flight at the same time may arrive in another order than the calls were counted in.
   * So among them, an answer can only show that less is left than was known, because others use the same key.
   */
  #onAnswer({ status, headers }: FetchResponse): void {
    const limit = readRateLimit(headers);
    if (!limit) {
      // A failure may come from a gateway, which knows nothing about limits.
      if (status < 400) this.#estimate = undefined;
      return;
    }
    const { quota, windowSeconds, left, fullInSeconds } = limit;
    const now = performance.now();
    const intervalMs = (windowSeconds * 1000) / quota;
    const told = now + Math.min(Math.max(0, quota - left) * intervalMs, fullInSeconds * 1000);
    const known = this.#estimate && this.#isCrowded ? Math.max(this.#estimate.fullAt, now) + intervalMs : told;
    this.#estimate = { quota, intervalMs, fullAt: Math.max(known, told) };
  }
}
