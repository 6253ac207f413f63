import { type Allowance, toAllowance } from './allowance.ts';
import { callsLeft, type LimitTerms, msUntilFull } from './gcra.ts';

/** The calls that one caller may make, counted in this process. A new bucket is full. */
export class LocalBucket {
  terms: LimitTerms;
  #fullAt = 0;

  constructor(terms: LimitTerms) {
    this.terms = terms;
  }

  /** Takes one call, if there is one. */
  take(now: number): Allowance {
    const isAllowed = this.takeMany(1, now) === 1;
    return toAllowance(this.terms, isAllowed, this.#fullAt - now);
  }

  /** Takes up to this many calls. Returns how many it took. */
  takeMany(wanted: number, now: number): number {
    const untilFullMs = msUntilFull(this.terms, this.#fullAt, now);
    const taken = Math.min(wanted, callsLeft(this.terms, untilFullMs));
    this.#fullAt = now + untilFullMs + taken * this.terms.intervalMs;
    return taken;
  }

  /** Replaces what was counted here by what somebody else has counted. */
  setUntilFullMs(untilFullMs: number, now: number): void {
    this.#fullAt = now + untilFullMs;
  }

  untilFullMs(now: number): number {
    return msUntilFull(this.terms, this.#fullAt, now);
  }
}
