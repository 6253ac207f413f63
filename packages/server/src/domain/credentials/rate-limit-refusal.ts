import { Failure } from '../failure.ts';
import type { Allowance } from './allowance.ts';
import { describeRate, type RateLimit } from './rate-limit.ts';
import type { RateLimitPolicy } from './rate-limiter.ts';

const REASONS: Record<RateLimitPolicy, (limit: RateLimit) => string> = {
  api: (limit) => `this API key may make ${describeRate(limit, 'call')}, and ${limit.burst} at once`,
  token: (limit) =>
    `this API key may be exchanged ${describeRate(limit, 'time')}. Use the access token until it expires`,
  failed: (limit) => `there may be ${describeRate(limit, 'failed exchange')} from this address. Check the API key`,
};

/** The refusal of a call that exceeds a rate limit. */
export function toRefusal(policy: RateLimitPolicy, allowance: Allowance): Failure {
  const seconds = waitSecondsOf(allowance);
  const wait = seconds === 1 ? '1 second' : `${seconds} seconds`;
  const message = `Too many requests: ${REASONS[policy](allowance.terms.limit)}. Try again in ${wait}.`;
  return new Failure('rate_limited', message, { retryAfterSeconds: seconds });
}

/** Whole seconds, and never less than it takes. */
function waitSecondsOf({ untilNextMs }: Allowance): number {
  return Math.max(1, Math.ceil(untilNextMs / 1000));
}
