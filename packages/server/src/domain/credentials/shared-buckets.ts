import { LRUCache } from 'lru-cache';
import { termsOf } from './gcra.ts';
import { LocalBucket } from './local-bucket.ts';
import type { RateLimit } from './rate-limit.ts';

/** A request for calls from a bucket that several processes share. */
export interface LeaseRequest {
  bucket: string;
  limit: RateLimit;
  wanted: number;
}

export interface Lease {
  /** At most as many calls as were wanted. The process that has leased them may use them without asking again. */
  granted: number;
  /** How long it takes until the shared bucket is full again. */
  untilFullMs: number;
}

/** The buckets that all processes share. They lease calls in portions, so that not every call has to ask. */
export interface SharedBuckets {
  /** Returns a lease for each of the requests, which are for different buckets. */
  lease(requests: readonly LeaseRequest[]): Promise<Lease[]>;
}

/**
 * How many buckets of each policy are remembered. The one that was used least recently is forgotten first, and is full when
 * it is used again. Policies are remembered separately, so that nobody can make the bucket of a key be forgotten by failed
 * exchanges from many addresses.
 */
const BUCKETS_MAX = 20_000;

/** Shared buckets in the memory of one process. */
export class BucketsInMemory implements SharedBuckets {
  readonly #byPolicy = new Map<string, LRUCache<string, LocalBucket>>();
  readonly #now: () => number;

  /** `now` returns milliseconds of a clock that does not jump. */
  constructor(now: () => number) {
    this.#now = now;
  }

  async lease(requests: readonly LeaseRequest[]): Promise<Lease[]> {
    return requests.map((request) => this.#leaseOne(request));
  }

  #leaseOne({ bucket: name, limit, wanted }: LeaseRequest): Lease {
    const terms = termsOf(limit);
    const buckets = this.#bucketsOf(policyOf(name));
    const bucket = buckets.get(name) ?? new LocalBucket(terms);
    buckets.set(name, bucket);
    bucket.terms = terms;
    const now = this.#now();
    return { granted: bucket.takeMany(wanted, now), untilFullMs: bucket.untilFullMs(now) };
  }

  #bucketsOf(policy: string): LRUCache<string, LocalBucket> {
    // Not as `max`, for which the room would be taken at once.
    const bounds = { maxSize: BUCKETS_MAX, sizeCalculation: () => 1 };
    const buckets = this.#byPolicy.get(policy) ?? new LRUCache<string, LocalBucket>(bounds);
    this.#byPolicy.set(policy, buckets);
    return buckets;
  }
}

/** The name of a bucket is its policy, a colon and the caller. */
function policyOf(bucket: string): string {
  return bucket.slice(0, bucket.indexOf(':'));
}
