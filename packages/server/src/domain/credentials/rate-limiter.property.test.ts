import fc from 'fast-check';
import { expect, test } from 'vitest';
import { CallLeases } from './call-leases.ts';
import type { RateLimit } from './rate-limit.ts';
import { RateLimiter } from './rate-limiter.ts';
import { BucketsInMemory, type SharedBuckets } from './shared-buckets.ts';

const NO_OBSERVER = { onUnreachable: () => {}, onReachable: () => {} };

class FakeTime {
  ms = 1000;
  readonly now = () => this.ms;
}

const limits = fc.record({
  perSecond: fc.constantFrom(1 / 60, 0.5, 1, 3, 7, 10, 100, 1000 / 3, 5000),
  burst: fc.constantFrom(1, 2, 3, 10, 60, 200),
});

/** A pause in milliseconds, then a call of one of the callers. Pauses of every size occur, and often none at all. */
const calls = fc.array(
  fc.record({
    pauseMs: fc.oneof(fc.constant(0), fc.double({ min: 0, max: 50, noNaN: true }), fc.integer({ min: 0, max: 5000 })),
    caller: fc.constantFrom('a', 'b', 'c'),
  }),
  { minLength: 1, maxLength: 300 },
);

/** Fails if more calls were allowed in any window than the rate and the burst allow. */
function expectWithin({ perSecond, burst }: RateLimit, allowedAt: readonly number[], more = 0): void {
  for (const [first, from] of allowedAt.entries()) {
    for (let last = first; last < allowedAt.length; last++) {
      const seconds = ((allowedAt[last] ?? 0) - from) / 1000;
      expect(last - first + 1).toBeLessThanOrEqual(burst + perSecond * seconds + 0.001 + more);
    }
  }
}

/** Makes the calls and returns the times of those that were allowed, by caller. */
async function makeCalls(limiter: RateLimiter, time: FakeTime, made: Iterable<{ pauseMs: number; caller: string }>) {
  const allowedAt: Record<string, number[]> = { a: [], b: [], c: [] };
  for (const { pauseMs, caller } of made) {
    time.ms += pauseMs;
    const allowance = await limiter.take(caller);
    if (allowance?.isAllowed) allowedAt[caller]?.push(time.ms);
  }
  return allowedAt;
}

test('no sequence of calls gets more than the burst and the rate allow in any window', async () => {
  const property = fc.asyncProperty(limits, calls, async (limit, made) => {
    const time = new FakeTime();
    const limiter = new RateLimiter({ policy: 'api', limit, now: time.now });
    for (const times of Object.values(await makeCalls(limiter, time, made))) expectWithin(limit, times);
  });
  await fc.assert(property);
});

test('a caller that stays within the rate is never refused, and a refused caller is told how long to wait', async () => {
  const property = fc.asyncProperty(limits, fc.integer({ min: 1, max: 300 }), async (limit, count) => {
    const time = new FakeTime();
    const limiter = new RateLimiter({ policy: 'api', limit, now: time.now });
    for (let call = 0; call < count; call++) {
      expect(await limiter.take('steady')).toMatchObject({ isAllowed: true });
      time.ms += 1000 / limit.perSecond;
    }
    for (let call = 0; call < limit.burst; call++)
      expect(await limiter.take('quick')).toMatchObject({ isAllowed: true });
    const refused = await limiter.take('quick');
    expect(refused).toMatchObject({ isAllowed: false, callsLeft: 0 });
    time.ms += (refused?.untilNextMs ?? 0) + 0.001;
    expect(await limiter.take('quick')).toMatchObject({ isAllowed: true });
  });
  await fc.assert(property);
});

test('while a limit is in force it holds, whatever it was before, and nobody waits longer than for an empty bucket', async () => {
  const phases = fc.array(fc.tuple(limits, calls), { minLength: 2, maxLength: 5 });
  const property = fc.asyncProperty(phases, async (list) => {
    const time = new FakeTime();
    let current: RateLimit = { perSecond: 1, burst: 1 };
    const limiter = new RateLimiter({ policy: 'api', limit: null, limitOf: () => ({ ...current }), now: time.now });
    for (const [limit, made] of list) {
      current = limit;
      for (const times of Object.values(await makeCalls(limiter, time, made))) expectWithin(limit, times);
      const { untilNextMs = 0 } = (await limiter.take('a')) ?? {};
      expect(untilNextMs).toBeLessThanOrEqual(1000 / limit.perSecond + 0.001);
    }
  });
  await fc.assert(property, { numRuns: 50 });
});

test('what is left is exact, however long the machine has been running', () => {
  for (const perSecond of [7, 60, 300, 1_000_000]) {
    const limit = { perSecond, burst: 2 * perSecond };
    const limiter = new RateLimiter({ policy: 'api', limit, now: () => 1e12 + 0.123 });
    for (let call = 1; call <= 14; call++) {
      expect(limiter.take('a')).toMatchObject({ isAllowed: true, callsLeft: limit.burst - call });
    }
  }
});

test('a caller without a limit, and a policy without a limit, are not limited', () => {
  const limit = { perSecond: 1, burst: 1 };
  const limitOf = (caller: string) => (caller === 'free' ? null : undefined);
  const limiter = new RateLimiter({ policy: 'api', limit, limitOf, now: () => 0 });
  for (let call = 0; call < 100; call++) expect(limiter.take('free')).toBeUndefined();
  expect(limiter.take('other')).toMatchObject({ isAllowed: true, callsLeft: 0 });
  expect(new RateLimiter({ policy: 'token', limit: null, now: () => 0 }).take('other')).toBeUndefined();
});

/** Several processes that lease calls from the same buckets. Each has its own clock, which shows another time. */
function openProcesses(count: number, limit: RateLimit, time: FakeTime, shared: SharedBuckets): RateLimiter[] {
  return Array.from({ length: count }, (_, number) => {
    const now = () => time.ms + number * 12_345;
    return new RateLimiter({ policy: 'api', limit, now, leases: new CallLeases(shared, now, NO_OBSERVER) });
  });
}

/** What processes may have leased before a window and used in it: two portions of a fifth of a second or a tenth of the burst. */
const heldAtMost = ({ perSecond, burst }: RateLimit) => 2 * Math.min(perSecond / 5, burst / 10);

test('processes that lease calls never allow more together than one alone, in any order', async () => {
  const work = fc.array(
    fc.record({
      pauseMs: fc.oneof(fc.constant(0), fc.double({ min: 0, max: 20, noNaN: true }), fc.integer({ min: 0, max: 2000 })),
      process: fc.integer({ min: 0, max: 4 }),
      /** How many calls arrive at the same time. */
      calls: fc.constantFrom(1, 1, 2, 5, 50),
    }),
    { minLength: 1, maxLength: 60 },
  );
  const property = fc.asyncProperty(limits, fc.integer({ min: 1, max: 5 }), work, async (limit, count, list) => {
    const time = new FakeTime();
    const processes = openProcesses(count, limit, time, new BucketsInMemory(time.now));
    const startedAt = time.ms;
    const allowedAt: number[] = [];
    for (const { pauseMs, process, calls: together } of list) {
      time.ms += pauseMs;
      const limiter = processes[process % count];
      const taken = await Promise.all(Array.from({ length: together }, () => limiter?.take('a')));
      for (const allowance of taken) if (allowance?.isAllowed) allowedAt.push(time.ms);
      const seconds = (time.ms - startedAt) / 1000;
      expect(allowedAt.length).toBeLessThanOrEqual(limit.burst + limit.perSecond * seconds + 0.001);
    }
    expectWithin(limit, allowedAt, count * heldAtMost(limit));
  });
  await fc.assert(property);
});

/** Calls one of the processes at a time, steadily, and returns how many calls were allowed and refused. */
async function callSteadily(
  processes: readonly RateLimiter[],
  time: FakeTime,
  { perSecond, seconds }: { perSecond: number; seconds: number },
) {
  const counts = { allowed: 0, refused: 0 };
  for (let call = 0; call < perSecond * seconds; call++) {
    time.ms += 1000 / perSecond;
    const allowance = await processes[call % processes.length]?.take('a');
    if (allowance?.isAllowed) counts.allowed++;
    else counts.refused++;
  }
  return counts;
}

test.each([
  { perSecond: 100, burst: 200 },
  { perSecond: 20, burst: 20 },
  { perSecond: 1, burst: 60 },
  { perSecond: 3000, burst: 1000 },
])(
  'of $perSecond calls a second and $burst at once, callers get all, however many processes answer them',
  async (limit) => {
    for (const count of [1, 2, 3, 16]) {
      const time = new FakeTime();
      const within = openProcesses(count, limit, time, new BucketsInMemory(time.now));
      const demand = { perSecond: 0.9 * limit.perSecond, seconds: 30 };
      expect(await callSteadily(within, time, demand), `${count} processes`).toMatchObject({ refused: 0 });

      const beyond = openProcesses(count, limit, time, new BucketsInMemory(time.now));
      const { allowed } = await callSteadily(beyond, time, { perSecond: 20 * limit.perSecond, seconds: 10 });
      const expected = 10 * limit.perSecond + limit.burst;
      expect(allowed, `${count} processes`).toBeGreaterThan(0.95 * expected);
      expect(allowed, `${count} processes`).toBeLessThanOrEqual(expected + 0.001);
    }
  },
);

test('a caller of one of several processes gets its whole burst, also again and again', async () => {
  const limit = { perSecond: 100, burst: 200 };
  const time = new FakeTime();
  const [first, second] = openProcesses(2, limit, time, new BucketsInMemory(time.now));
  for (let round = 0; round < 5; round++) {
    const taken = await Promise.all(Array.from({ length: 300 }, () => first?.take('a')));
    expect(taken.filter((allowance) => allowance?.isAllowed)).toHaveLength(200);
    expect(await second?.take('a')).toMatchObject({ isAllowed: false });
    time.ms += 2100;
  }
});
