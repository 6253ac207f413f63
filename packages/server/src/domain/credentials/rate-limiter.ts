import { LRUCache } from 'lru-cache';
import type { Allowance } from './allowance.ts';
import type { CallLeases } from './call-leases.ts';
import { type LimitTerms, termsOf } from './gcra.ts';
import { LeasedBucket } from './leased-bucket.ts';
import { LocalBucket } from './local-bucket.ts';
import type { RateLimit } from './rate-limit.ts';
import { RefusalPace } from './refusal-pace.ts';

/** What is limited: calls of the API per key, exchanges per key, and failed exchanges per network address. */
export type RateLimitPolicy = 'api' | 'token' | 'failed';

/** The limit of an API key: `undefined` if it has none of its own, null if it is not limited. */
export type LimitOf = (keyId: string) => RateLimit | null | undefined;

/**
 * How many callers are remembered for each policy. The one that was used least recently is forgotten first; its bucket is
 * most likely full, and when it is used again it is. Only network addresses can become this many: keys and addresses are
 * remembered separately, so nobody can make the bucket of a key be forgotten.
 */
const CALLERS_MAX = 20_000;

export interface RateLimiterDeps {
  policy: RateLimitPolicy;
  /** Null means no limit. */
  limit: RateLimit | null;
  limitOf?: LimitOf;
  /** Milliseconds of a clock that does not jump. */
  now: () => number;
  /** The buckets that several processes share. Without them, this process counts by itself. */
  leases?: CallLeases | undefined;
}

/** Counts the calls of each caller and decides which of them may be made. */
export class RateLimiter {
  readonly policy: RateLimitPolicy;
  /** How many calls were refused. */
  refused = 0;
  readonly #terms: LimitTerms | null;
  readonly #limitOf: LimitOf | undefined;
  readonly #now: () => number;
  readonly #leases: CallLeases | undefined;
  readonly #refusalPace: RefusalPace;
  readonly #buckets = new LRUCache<string, LocalBucket | LeasedBucket>({
    // Not as `max`, for which the room would be taken at once.
    maxSize: CALLERS_MAX,
    sizeCalculation: () => 1,
  });

  constructor({ policy, limit, limitOf, now, leases }: RateLimiterDeps) {
    this.policy = policy;
    this.#terms = limit && termsOf(limit);
    this.#limitOf = limitOf;
    this.#now = now;
    this.#leases = leases;
    this.#refusalPace = new RefusalPace(now);
  }

  /** Takes a call of the caller. Returns `undefined` if the caller is not limited, and a promise only if it has to wait for a lease. */
  take(caller: string): Allowance | Promise<Allowance> | undefined {
    const own = this.#limitOf?.(caller);
    if (own === undefined) return this.#terms === null ? undefined : this.#take(caller, this.#terms);
    return own === null ? undefined : this.#take(caller, own);
  }

  /** Called by who refuses a call. Returns a promise only if the refusal has to wait. */
  refuse(): Promise<void> | undefined {
    this.refused++;
    return this.#refusalPace.wait();
  }

  #take(caller: string, limit: LimitTerms | RateLimit): Allowance | Promise<Allowance> {
    let bucket = this.#buckets.get(caller);
    if (!bucket) {
      bucket = this.#newBucket(caller, toTerms(limit));
      this.#buckets.set(caller, bucket);
    } else if (!isSameLimit(bucket.terms, limit)) bucket.terms = toTerms(limit);
    return bucket.take(this.#now());
  }

  #newBucket(caller: string, terms: LimitTerms): LocalBucket | LeasedBucket {
    if (!this.#leases) return new LocalBucket(terms);
    return new LeasedBucket(`${this.policy}:${caller}`, terms, this.#leases, this.#now);
  }
}

function toTerms(limit: LimitTerms | RateLimit): LimitTerms {
  return 'intervalMs' in limit ? limit : termsOf(limit);
}

function isSameLimit(terms: LimitTerms, other: LimitTerms | RateLimit): boolean {
  if (terms === other) return true;
  const limit = 'intervalMs' in other ? other.limit : other;
  return terms.limit.perSecond === limit.perSecond && terms.limit.burst === limit.burst;
}

export type RateLimits = Record<RateLimitPolicy, RateLimiter>;

export interface RateLimitsDeps extends Pick<RateLimiterDeps, 'now' | 'leases'> {
  limits: Record<RateLimitPolicy, RateLimit | null>;
  /** Limits of their own for calls of the API. */
  limitOf: LimitOf;
}

export function openRateLimits({ limits, limitOf, ...deps }: RateLimitsDeps): RateLimits {
  return {
    api: new RateLimiter({ ...deps, policy: 'api', limit: limits.api, limitOf }),
    token: new RateLimiter({ ...deps, policy: 'token', limit: limits.token }),
    failed: new RateLimiter({ ...deps, policy: 'failed', limit: limits.failed }),
  };
}
