import type { Logger } from 'pino';
import type { Config } from './config.ts';
import type { Clock } from './domain/clock.ts';
import {
  type KeyUsageCounter,
  type ListingCounter,
  removeEndedSigningKeys,
  removeOldListings,
  removeOldUsage,
  rotateSigningKeyIfDue,
  type SigningKeyRing,
} from './domain/credentials/index.ts';
import { cutActivity, removeExpired, removeOldMail, signCutsAgain } from './domain/members/index.ts';
import { oneAtATime } from './domain/one-at-a-time.ts';
import { regularly } from './regularly.ts';
import type { Store } from './store/open-store.ts';

const USAGE_FLUSH_MS = 5000;
/** Refused sign-ins are summed up by the minute. */
const REFUSALS_FLUSH_MS = 10_000;
const SWEEP_MS = 3_600_000;
/** More often, because failed exchanges from many addresses leave many buckets, and each sweep takes a limited time. */
const BUCKET_SWEEP_MS = 300_000;

/** What is done at regular intervals, and once more at the end: storing counts, deleting what has ended, renewing keys. */
export function startUpkeep(
  { signingKeyDays, auditDays }: Config,
  deps: Store & { clock: Clock; calls: KeyUsageCounter; listings: ListingCounter; ring: SigningKeyRing },
  logger: Logger,
): () => Promise<void> {
  const { calls, listings, sharedBuckets, refusals, clock } = deps;
  const ending = new AbortController();
  const sweep = async () => {
    await removeExpired(deps);
    await removeOldMail(deps);
    await removeOldUsage(deps);
    await deps.keptAnswers.removeExpired(deps.clock.now());
    await deps.imports.removeOld(deps.clock.now());
    await deps.bulkChanges.removeOld(deps.clock.now());
  };
  const sweepBuckets = async () => sharedBuckets?.removeFull();
  const renewKeys = async () => {
    await rotateSigningKeyIfDue(deps, signingKeyDays);
    await deps.ring.load();
    await signCutsAgain(deps, deps.ring.current().kid);
    await removeEndedSigningKeys(deps);
  };
  // May take long, so it is not completed when the service stops. The next start goes on with it.
  const cut = oneAtATime(async () => {
    if (auditDays === 0 || ending.signal.aborted) return;
    const { removed, problems } = await cutActivity(deps, auditDays, ending.signal);
    if (removed > 0) logger.info({ entries: removed }, 'removed old entries of the activity log');
    if (problems.length > 0) {
      logger.error({ problems }, 'the activity log was tampered with; old entries of these chains are not removed');
    }
  });
  const sweepListings = async () => {
    if (auditDays > 0) await removeOldListings(deps, auditDays, ending.signal);
  };
  const stops = [
    {
      everyMs: USAGE_FLUSH_MS,
      run: calls.flush,
      failure: 'storing the call counts failed',
      lost: () => ({ callsNotStored: calls.notStored }),
    },
    {
      everyMs: USAGE_FLUSH_MS,
      run: listings.flush,
      failure: 'storing what API keys have asked for failed',
      lost: () => ({ callsNotSummedUp: listings.notStored }),
    },
    {
      everyMs: REFUSALS_FLUSH_MS,
      run: () => refusals.flush(ending.signal.aborted ? Number.POSITIVE_INFINITY : clock.now()),
      failure: 'recording refused sign-ins failed',
      lost: () => ({ refusalsNotRecorded: refusals.notWritten }),
    },
    { everyMs: SWEEP_MS, run: sweep, failure: 'deleting expired records failed' },
    { everyMs: BUCKET_SWEEP_MS, run: sweepBuckets, failure: 'deleting full buckets of rate limits failed' },
    { everyMs: SWEEP_MS, run: renewKeys, failure: 'renewing the signing keys failed' },
    { everyMs: SWEEP_MS, run: sweepListings, atStart: true, failure: 'removing what API keys have asked for failed' },
    { everyMs: SWEEP_MS, run: cut, atStart: true, failure: 'removing old entries of the activity log failed' },
  ].map((work) => regularly(work, logger));
  return async () => {
    ending.abort();
    for (const stop of stops) await stop();
  };
}
