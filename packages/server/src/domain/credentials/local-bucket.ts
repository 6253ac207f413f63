import { type Allowance, toAllowance } from './allowance.ts';
import { callsLeft, type LimitTerms, msUntilFull } from './gcra.ts';

/** The calls that one caller may make, counted in this process. A new bucket is full. */
export class LocalBucket {
  terms: LimitTerms;
  #untilFullMs = 0;
  /** When it took that long. */
  #at = 0;

  constructor(terms: LimitTerms) {
    this.terms = terms;
  }

  /** Takes one call, if there is one. */
  take(now: number): Allowance {
    const isAllowed = this.takeMany(1, now) === 1;
    return toAllowance(this.terms, isAllowed, this.#untilFullMs);
  }

  /** Takes up to this many calls. Returns how many it took. */
  takeMany(wanted: number, now: number): number {
    const untilFullMs = this.untilFullMs(now);
    const taken = Math.min(wanted, callsLeft(this.terms, untilFullMs));
    this.setUntilFullMs(untilFullMs + taken * this.terms.intervalMs, now);
    return taken;
  }

  /** Replaces what was counted here by what somebody else has counted. */
  setUntilFullMs(untilFullMs: number, now: number): void {
    this.#untilFullMs = untilFullMs;
    this.#at = now;
  }

  untilFullMs(now: number): number {
    return msUntilFull(this.terms, this.#untilFullMs, now - this.#at);
  }
}
