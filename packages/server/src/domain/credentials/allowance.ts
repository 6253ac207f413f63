import { callsLeft, type LimitTerms, msUntilNext } from './gcra.ts';

/** Whether a call may be made, and what is left for the next ones. */
export interface Allowance {
  isAllowed: boolean;
  terms: LimitTerms;
  callsLeft: number;
  /** How long it takes until all calls are there again. */
  untilFullMs: number;
  /** How long it takes until a call may be made. */
  untilNextMs: number;
}

export function toAllowance(terms: LimitTerms, isAllowed: boolean, untilFullMs: number): Allowance {
  return {
    isAllowed,
    terms,
    callsLeft: isAllowed ? callsLeft(terms, untilFullMs) : 0,
    untilFullMs,
    untilNextMs: msUntilNext(terms, untilFullMs),
  };
}
