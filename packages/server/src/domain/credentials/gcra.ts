import type { RateLimit } from './rate-limit.ts';

/**
 * The arithmetic of rate limits: the generic cell rate algorithm. The state of a bucket is how long it takes until all of its
 * calls are there again, and when that was so. A time of day would have too few digits left for a part of a call. Times are
 * milliseconds of a clock that does not jump.
 */

/** A rate limit in the terms of the algorithm. */
export interface LimitTerms {
  limit: RateLimit;
  /** How long it takes until one more call may be made. */
  intervalMs: number;
  /** How long it takes until an empty bucket is full. */
  burstMs: number;
}

/** A part of a call that is ignored, so that rounding does not refuse a call that arrives exactly in time. */
const ROUNDING = 1e-6;

export function termsOf(limit: RateLimit): LimitTerms {
  const intervalMs = 1000 / limit.perSecond;
  return { limit, intervalMs, burstMs: intervalMs * limit.burst };
}

/**
 * How long it takes until the bucket is full again, when some time has elapsed. It is never longer than for an empty bucket,
 * also when the limit was changed since the bucket was last used.
 */
export function msUntilFull({ burstMs }: LimitTerms, untilFullMs: number, elapsedMs: number): number {
  return Math.min(Math.max(0, untilFullMs - elapsedMs), burstMs);
}

/** How many calls are in the bucket, as a whole number. */
export function callsLeft({ intervalMs, limit }: LimitTerms, untilFullMs: number): number {
  return Math.max(0, Math.floor(limit.burst - untilFullMs / intervalMs + ROUNDING));
}

/** How long it takes until there is a call in the bucket. */
export function msUntilNext({ intervalMs, burstMs }: LimitTerms, untilFullMs: number): number {
  return Math.max(0, untilFullMs + intervalMs - burstMs);
}
