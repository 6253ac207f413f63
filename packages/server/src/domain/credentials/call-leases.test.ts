import { setTimeout as sleep } from 'node:timers/promises';
import { expect, onTestFinished, test, vi } from 'vitest';
import { CallLeases } from './call-leases.ts';
import { RateLimiter } from './rate-limiter.ts';
import { BucketsInMemory, type Lease, type LeaseRequest, type SharedBuckets } from './shared-buckets.ts';

const LIMIT = { perSecond: 1, burst: 20 };
const now = () => performance.now();

/** Shared buckets that can be made to hang or to fail, as a database or another process can. */
class TroubledBuckets implements SharedBuckets {
  readonly #buckets = new BucketsInMemory(now);
  readonly #hanging: (() => void)[] = [];
  state: 'well' | 'hanging' | 'failing' = 'well';
  questions = 0;
  /** How many calls were leased from each bucket. */
  readonly granted = new Map<string, number>();

  async lease(requests: readonly LeaseRequest[]): Promise<Lease[]> {
    this.questions++;
    if (this.state === 'failing') throw new Error('the disk is full');
    if (this.state === 'hanging') await new Promise<void>((resolve) => this.#hanging.push(resolve));
    const leases = await this.#buckets.lease(requests);
    for (const [index, { bucket }] of requests.entries()) {
      this.granted.set(bucket, (this.granted.get(bucket) ?? 0) + (leases[index]?.granted ?? 0));
    }
    return leases;
  }

  recover(): void {
    this.state = 'well';
    for (const resume of this.#hanging.splice(0)) resume();
  }
}

function openLimiter() {
  const shared = new TroubledBuckets();
  const told: string[] = [];
  const leases = new CallLeases(shared, now, {
    onUnreachable: (error) => told.push(error instanceof Error ? `unreachable: ${error.message}` : 'unreachable'),
    onReachable: () => told.push('reachable'),
  });
  const open = () => new RateLimiter({ policy: 'api', limit: LIMIT, now, leases });
  return { shared, leases, told, limiter: open(), open };
}

test.each(['hanging', 'failing'] as const)(
  'while the shared buckets are %s, the first call waits briefly, the others not at all, and the whole limit is allowed',
  { timeout: 20_000 },
  async (state) => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'performance'] });
    onTestFinished(() => void vi.useRealTimers());
    const { shared, limiter } = openLimiter();
    shared.state = state;
    const first = limiter.take('a');
    vi.advanceTimersByTime(50);
    expect(await first).toMatchObject({ isAllowed: true });
    const allowed = [];
    for (let call = 1; call < 25; call++) {
      const taken = limiter.take('a');
      expect(taken).not.toBeInstanceOf(Promise);
      allowed.push((await taken)?.isAllowed);
    }
    expect(allowed.filter(Boolean).length).toBeGreaterThanOrEqual(LIMIT.burst - 1);
    expect(allowed.at(-1)).toBe(false);
  },
);

test('shared buckets that do not answer are asked a few times a second, and both ends of a long silence are reported once', async () => {
  const { shared, limiter, told, leases } = openLimiter();
  shared.state = 'failing';
  const callUntil = async (isOver: () => boolean) => {
    while (!isOver()) {
      await limiter.take('a');
      await sleep(5);
    }
  };
  await callUntil(() => told.length > 0);
  expect(shared.questions).toBeLessThan(20);
  expect(told).toEqual(['unreachable: the disk is full']);
  await sleep(50);
  shared.recover();
  await callUntil(() => leases.isReachable);
  expect(told).toEqual(['unreachable: the disk is full', 'reachable']);
});

test('when the shared buckets answer again, calls are leased from them again', async () => {
  const { shared, limiter, leases } = openLimiter();
  shared.state = 'hanging';
  for (let call = 0; call < 12; call++) await limiter.take('a');
  expect(leases.isReachable).toBe(false);
  shared.recover();
  while (!leases.isReachable) {
    await limiter.take('b');
    await sleep(5);
  }
  const before = shared.granted.get('api:a') ?? 0;
  expect(await limiter.take('a')).toMatchObject({ isAllowed: true });
  expect(shared.granted.get('api:a')).toBeGreaterThan(before);
});

test('requests that arrive while a question is under way are asked together', async () => {
  const { shared, leases } = openLimiter();
  const request = (bucket: string) => leases.lease({ bucket, limit: LIMIT, wanted: 3 });
  const answers = await Promise.all(['a', 'b', 'c', 'd', 'e'].map(request));
  expect(answers.map((lease) => lease?.granted)).toEqual([3, 3, 3, 3, 3]);
  expect(shared.questions).toBe(2);
});

test('leased calls that are not used lapse, so that they cannot be saved up', async () => {
  const limit = { perSecond: 100, burst: 200 };
  let ms = 0;
  const shared = new BucketsInMemory(() => ms);
  const leases = new CallLeases(shared, () => ms, { onUnreachable: () => {}, onReachable: () => {} });
  const limiter = new RateLimiter({ policy: 'api', limit, now: () => ms, leases });
  for (let call = 0; call < 40; call++) {
    ms += 5;
    await limiter.take('a');
  }
  ms += 600_000;
  const taken = await Promise.all(Array.from({ length: 400 }, () => limiter.take('a')));
  expect(taken.filter((allowance) => allowance?.isAllowed)).toHaveLength(200);
});
