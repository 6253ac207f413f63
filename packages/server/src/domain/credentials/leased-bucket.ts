import { type Allowance, toAllowance } from './allowance.ts';
import type { CallLeases } from './call-leases.ts';
import { type LimitTerms, msUntilNext } from './gcra.ts';
import { LocalBucket } from './local-bucket.ts';
import type { Lease } from './shared-buckets.ts';

/** Calls are leased for about this time in advance, as many as this process has recently used in it. */
const AHEAD_MS = 200;

/** The largest part of the burst that is leased in advance. What is leased in advance and not used is lost to the caller. */
const AHEAD_SHARE = 0.1;

/** Leased calls that are not used for this long lapse, so that they cannot be saved up. */
const LAPSE_MS = 1000;

/** A process that was told that the shared bucket is empty asks again after this time at the latest. */
const ASK_AGAIN_MAX_MS = 200;

/** And after this time at the earliest, unless the bucket would be full before, so that a flood of calls does not ask all the time. */
const ASK_AGAIN_MIN_MS = 25;

/**
 * The calls that one caller may make, counted in a bucket that all processes share. Calls are leased from it in portions.
 * While it does not answer, this process counts by itself and allows the whole limit.
 */
export class LeasedBucket {
  readonly #name: string;
  readonly #leases: CallLeases;
  readonly #now: () => number;
  #terms: LimitTerms;
  /**
   * What is known of the shared bucket. While that does not answer, this process counts in here, so that it continues from
   * where the processes were and does not allow another burst.
   */
  readonly #known: LocalBucket;
  #held = 0;
  #heldUntil = 0;
  /** More calls are leased when this many are left. */
  #renewAt = 0;
  #emptyUntil = 0;
  #waiting: ((allowance: Allowance) => void)[] = [];
  #isLeasing = false;
  #usedSinceLease = 0;
  #leasedAt = 0;

  constructor(name: string, terms: LimitTerms, leases: CallLeases, now: () => number) {
    this.#name = name;
    this.#terms = terms;
    this.#leases = leases;
    this.#now = now;
    this.#known = new LocalBucket(terms);
  }

  get terms(): LimitTerms {
    return this.#terms;
  }

  /** A raised limit takes effect at once. */
  set terms(terms: LimitTerms) {
    this.#terms = terms;
    this.#known.terms = terms;
    this.#emptyUntil = 0;
  }

  take(now: number): Allowance | Promise<Allowance> {
    if (now >= this.#heldUntil) this.#held = 0;
    if (this.#held > 0) return this.#useHeld(now);
    if (!this.#leases.isReachable) return this.#takeAlone(now);
    if (now < this.#emptyUntil) return this.#refuse(now);
    return new Promise((resolve) => {
      this.#waiting.push(resolve);
      if (!this.#isLeasing) void this.#lease(now, 0);
    });
  }

  #useHeld(now: number): Allowance {
    this.#held--;
    this.#usedSinceLease++;
    if (this.#held <= this.#renewAt) this.#renew(now);
    return toAllowance(this.#terms, true, this.#untilFullMs(now));
  }

  #refuse(now: number): Allowance {
    return toAllowance(this.#terms, false, this.#untilFullMs(now));
  }

  /** Without waiting: a database that is unavailable must not delay every call. */
  #takeAlone(now: number): Allowance {
    if (this.#leases.isTryDue(now) && !this.#isLeasing) void this.#lease(now, 1);
    return this.#known.take(now);
  }

  /** The calls that this process holds count as if they were still in the bucket. */
  #untilFullMs(now: number): number {
    return Math.max(0, this.#known.untilFullMs(now) - this.#held * this.#terms.intervalMs);
  }

  #renew(now: number): void {
    if (this.#isLeasing || now < this.#emptyUntil || !this.#leases.isReachable) return;
    if (this.#aheadAt(now) > 0) void this.#lease(now, 0);
  }

  /**
   * How many calls to lease in advance: as many as were used recently in this process. More would be taken from the other
   * processes that serve the same caller. It doubles while the calls become more frequent.
   */
  #aheadAt(now: number): number {
    const { perSecond, burst } = this.#terms.limit;
    const most = Math.min((perSecond * AHEAD_MS) / 1000, burst * AHEAD_SHARE);
    const elapsedMs = now - this.#leasedAt;
    const recent = elapsedMs <= AHEAD_MS ? 2 * this.#usedSinceLease : (this.#usedSinceLease * AHEAD_MS) / elapsedMs;
    return Math.floor(Math.min(most, recent));
  }

  async #lease(startedAt: number, atLeast: number): Promise<void> {
    this.#isLeasing = true;
    const wanted = Math.max(atLeast, this.#waiting.length + this.#aheadAt(startedAt));
    this.#leasedAt = startedAt;
    this.#usedSinceLease = 0;
    const lease = await this.#leases.lease({ bucket: this.#name, limit: this.#terms.limit, wanted });
    this.#isLeasing = false;
    const now = this.#now();
    if (lease) this.#hold(lease, wanted, now);
    this.#serveWaiting(lease, now);
  }

  #hold({ granted, untilFullMs }: Lease, wanted: number, now: number): void {
    if (now >= this.#heldUntil) this.#held = 0;
    this.#held += granted;
    this.#heldUntil = now + LAPSE_MS;
    this.#renewAt = Math.floor(Math.max(0, this.#held - this.#waiting.length) / 2);
    this.#known.setUntilFullMs(untilFullMs, now);
    if (granted < wanted) this.#emptyUntil = now + this.#askAgainMs(untilFullMs);
  }

  #askAgainMs(untilFullMs: number): number {
    const waitMs = msUntilNext(this.#terms, untilFullMs);
    const leastMs = Math.min(ASK_AGAIN_MIN_MS, this.#terms.burstMs / 2);
    return Math.min(Math.max(waitMs, leastMs), ASK_AGAIN_MAX_MS);
  }

  /** Calls that have begun to wait since the lease was requested wait for the next one, unless the bucket is empty. */
  #serveWaiting(lease: Lease | undefined, now: number): void {
    const waiting = this.#waiting;
    this.#waiting = [];
    const isEmpty = now < this.#emptyUntil;
    for (const answer of waiting) {
      if (this.#held > 0) answer(this.#useHeld(now));
      else if (!lease) answer(this.#known.take(now));
      else if (isEmpty) answer(this.#refuse(now));
      else this.#waiting.push(answer);
    }
    if (this.#waiting.length > 0 && !this.#isLeasing) void this.#lease(now, 0);
  }
}
