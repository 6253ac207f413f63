import { type Allowance, toAllowance } from './allowance.ts';
import { callsLeft, type LimitTerms, msUntilFull } from './gcra.ts';

/** The calls that one caller may make, counted in this process. A new bucket is full. */
export class LocalBucket {
  terms: LimitTerms;
  #fullAt = 0;

  constructor(terms: LimitTerms) {
    this.terms = terms;
  }

  take(now: number): Allowance {
    const isAllowed = this.charge(now);
    return toAllowance(this.terms, isAllowed, this.#fullAt - now);
  }

  /** Takes one call, if there is one. */
  charge(now: number): boolean {
    return this.takeMany(1, now) === 1;
  }

  /** Takes up to this many calls. Returns how many it took. */
  takeMany(wanted: number, now: number): number {
    const untilFullMs = msUntilFull(this.terms, this.#fullAt, now);
    const taken = Math.min(wanted, callsLeft(this.terms, untilFullMs));
    this.#fullAt = now + untilFullMs + taken * this.terms.intervalMs;
    return taken;
  }

  untilFullMs(now: number): number {
    return msUntilFull(this.terms, this.#fullAt, now);
  }
}
