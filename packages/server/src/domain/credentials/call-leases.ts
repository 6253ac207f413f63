import type { Lease, LeaseRequest, SharedBuckets } from './shared-buckets.ts';

/** A call waits at most this long for a lease. Then this process limits its callers by itself, so that they are not delayed. */
const LEASE_WAIT_MS = 50;

/** How often the shared buckets are asked while they do not answer. */
const TRY_AGAIN_MS = 200;

/** Shorter interruptions are not reported, because a busy machine alone can cause them. */
const REPORT_AFTER_MS = 1000;

/** Is told when the shared buckets have not answered for some time, with the last error if there was one, and when they do again. */
export interface LeaseObserver {
  onUnreachable(error: unknown): void;
  onReachable(): void;
}

interface Pending {
  request: LeaseRequest;
  isSettled: boolean;
  settle(lease: Lease | undefined, error?: unknown): void;
}

/**
 * Leases calls from the shared buckets, with one question at a time for all requests that wait, and knows whether the
 * buckets answer in time. One object serves all rate limits of the process.
 */
export class CallLeases {
  readonly #buckets: SharedBuckets;
  readonly #now: () => number;
  readonly #observer: LeaseObserver;
  #queue: Pending[] = [];
  #isAsking = false;
  #unreachable: { since: number; tryAgainAt: number; isReported: boolean } | undefined;

  /** `now` returns milliseconds of a clock that does not jump. */
  constructor(buckets: SharedBuckets, now: () => number, observer: LeaseObserver) {
    this.#buckets = buckets;
    this.#now = now;
    this.#observer = observer;
  }

  /** While this is false, no call may wait for a lease. */
  get isReachable(): boolean {
    return this.#unreachable === undefined;
  }

  /** Whether a lease may be requested in order to find out if the shared buckets answer again. */
  isTryDue(now: number): boolean {
    return this.#unreachable !== undefined && now >= this.#unreachable.tryAgainAt;
  }

  /** Resolves with `undefined` if the shared buckets do not answer in time. What they grant later is not used. */
  lease(request: LeaseRequest): Promise<Lease | undefined> {
    if (this.#unreachable) this.#unreachable.tryAgainAt = this.#now() + TRY_AGAIN_MS;
    return new Promise((resolve) => {
      const pending: Pending = {
        request,
        isSettled: false,
        settle: (lease, error) => {
          if (pending.isSettled) return;
          pending.isSettled = true;
          clearTimeout(timer);
          if (lease) this.#noteAnswer();
          else this.#noteSilence(error);
          resolve(lease);
        },
      };
      // After a turn of the event loop, because the answer may already be there when this process itself was too busy.
      const giveUp = () => setImmediate(() => pending.settle(undefined));
      const timer = setTimeout(giveUp, LEASE_WAIT_MS);
      this.#queue.push(pending);
      if (!this.#isAsking) void this.#askUntilEmpty();
    });
  }

  async #askUntilEmpty(): Promise<void> {
    this.#isAsking = true;
    while (this.#queue.length > 0) {
      const batch = this.#queue.filter(({ isSettled }) => !isSettled);
      this.#queue = [];
      if (batch.length > 0) await this.#ask(batch);
    }
    this.#isAsking = false;
  }

  async #ask(batch: readonly Pending[]): Promise<void> {
    try {
      const leases = await this.#buckets.lease(batch.map(({ request }) => request));
      for (const [index, { settle }] of batch.entries()) settle(leases[index]);
    } catch (error) {
      for (const { settle } of batch) settle(undefined, error);
    }
  }

  #noteAnswer(): void {
    if (this.#unreachable?.isReported) this.#observer.onReachable();
    this.#unreachable = undefined;
  }

  #noteSilence(error: unknown): void {
    const now = this.#now();
    this.#unreachable ??= { since: now, tryAgainAt: now + TRY_AGAIN_MS, isReported: false };
    if (this.#unreachable.isReported || now - this.#unreachable.since < REPORT_AFTER_MS) return;
    this.#unreachable.isReported = true;
    this.#observer.onUnreachable(error);
  }
}
