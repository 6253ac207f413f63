import { getHeapStatistics } from 'node:v8';
import type { Logger } from 'pino';
import { PageCache } from './api/clients/index.ts';
import { type Config, ConfigError } from './config.ts';
import { ExportSlots, SearchQueue } from './domain/clients/index.ts';
import { ConcurrencyLimit } from './domain/concurrency-limit.ts';
import {
  CallLeases,
  type KeyDirectory,
  openRateLimits,
  type RateLimits,
  type SharedBuckets,
} from './domain/credentials/index.ts';
import { MemberWrites } from './domain/members/index.ts';
import { RequestQueue } from './http/request-queue.ts';

/** Hashing passwords is slow on purpose. One at a time leaves the other cores to the API, and requests beyond the limit are refused. */
const SIGN_INS = {
  atOnce: 1,
  waitingMax: 100,
  refusal: 'Too many sign-ins at the moment. Try again in a few seconds.',
};

/** Limits of this process. The store can open two more snapshots, which dry runs of imports use. */
const EXPORTS = { perMember: 2, perAccount: 3, inAll: 4 };

/** What every member may change and the activity log keeps, such as their views and profile. Nobody needs more by hand. */
const MEMBER_WRITES_PER_MINUTE = 120;

/** A search that finds few clients takes milliseconds; one for a common word takes longer. A request that has to wait longer than `waitMs` is refused. */
const SEARCHES = { atOnce: 2, waitingPerMember: 4, waitingInAll: 50, waitMs: 15_000 };

/** How much members may do at the same time. */
export function openMemberLimits() {
  return {
    concurrencyLimit: new ConcurrencyLimit(SIGN_INS),
    exportSlots: new ExportSlots(EXPORTS),
    searchQueue: new SearchQueue(SEARCHES),
    memberWrites: new MemberWrites(MEMBER_WRITES_PER_MINUTE),
  };
}

export function openRequestQueue({ refusesOverload }: Config): RequestQueue {
  return new RequestQueue({ refuses: refusesOverload });
}

/** Refuses a cache that could outgrow the memory of the process, which would end it hours after the start. */
export function openPageCache({ pageCacheBytes }: Config): PageCache {
  const maxMb = Math.floor(getHeapStatistics().heap_size_limit / 2 ** 20 / 2);
  if (pageCacheBytes <= maxMb * 2 ** 20) return new PageCache(pageCacheBytes);
  throw new ConfigError(
    `ROLLCALL_PAGE_CACHE_MB may be at most ${maxMb} here, half of the memory that Node may use. For a larger cache, allow Node at least twice as many megabytes, for example with NODE_OPTIONS=--max-old-space-size=1024.`,
  );
}

/** The clock is one that does not jump when the time of day is set. */
export function rateLimitsOf(
  { rateLimits }: Config,
  keyDirectory: KeyDirectory,
  shared: SharedBuckets | undefined,
  logger: Logger,
): RateLimits {
  const now = () => performance.now();
  const leases =
    shared &&
    new CallLeases(shared, now, {
      onUnreachable: (error) =>
        logger.warn({ err: error }, 'rate limits cannot be shared; this process counts calls by itself'),
      onReachable: () => logger.info('rate limits are shared again'),
    });
  return openRateLimits({ limits: rateLimits, limitOf: (keyId) => keyDirectory.limitOf(keyId), now, leases });
}
