import { type Allowance, type RateLimiter, type RateLimitPolicy, toRefusal } from '../domain/credentials/index.ts';
import type { HeaderList } from '../http/header-list.ts';
import type { RequestContext } from '../http/request-context.ts';

type CalledBy = Pick<RequestContext, 'callerHeaders'>;

/** Takes a call of a known caller. The answer tells what is left, whatever it will be. Throws if there is nothing left. */
export function requireAllowance(context: CalledBy, limiter: RateLimiter, caller: string): void | Promise<void> {
  const taken = limiter.take(caller);
  if (taken === undefined) return;
  // Only a call that has to wait for its allowance pays for a promise.
  if (taken instanceof Promise) return taken.then((allowance) => apply(context, limiter, allowance));
  return apply(context, limiter, taken);
}

/** The same for a caller who is not known, and is told something only when refused. */
export async function requireQuietly(context: CalledBy, limiter: RateLimiter, caller: string): Promise<void> {
  const taken = await limiter.take(caller);
  if (taken && !taken.isAllowed) await apply(context, limiter, taken);
}

function apply(context: CalledBy, limiter: RateLimiter, allowance: Allowance): void | Promise<void> {
  context.callerHeaders = headersOf(limiter.policy, allowance);
  if (allowance.isAllowed) return;
  const refusal = toRefusal(limiter.policy, allowance);
  const waits = limiter.refuse();
  if (!waits) throw refusal;
  return waits.then(() => {
    throw refusal;
  });
}

/** Both headers are structured fields, as in the IETF draft "RateLimit header fields for HTTP". */
function headersOf(policy: RateLimitPolicy, { terms, callsLeft, untilFullMs }: Allowance): HeaderList {
  let policyField = policyFields[policy].get(terms);
  if (policyField === undefined) {
    const { burst, perSecond } = terms.limit;
    policyField = `"${policy}";q=${burst};w=${toWholeSeconds(burst / perSecond)}`;
    policyFields[policy].set(terms, policyField);
  }
  const left = `"${policy}";r=${callsLeft};t=${toWholeSeconds(untilFullMs / 1000)}`;
  return ['RateLimit-Policy', policyField, 'RateLimit', left];
}

/** Far more than what is lost by rounding, and less than by which any limit that can be set exceeds a whole second. */
const ROUNDING = 1e-12;

function toWholeSeconds(seconds: number): number {
  return Math.ceil(seconds * (1 - ROUNDING));
}

/** The text for each limit, made once, because every answer carries it. */
const policyFields: Record<RateLimitPolicy, WeakMap<Allowance['terms'], string>> = {
  api: new WeakMap(),
  token: new WeakMap(),
  failed: new WeakMap(),
};
