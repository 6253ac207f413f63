import fc from 'fast-check';
import { expect, onTestFinished, test } from 'vitest';
import { callsLeft, termsOf } from '../../../domain/credentials/gcra.ts';
import { BucketsInMemory, type RateLimit } from '../../../domain/credentials/index.ts';
import { isFailure } from '../../../domain/failure.ts';
import { onDatabase } from '../../../testing/raw-database.ts';
import { newDatabase } from '../../../testing/test-store.ts';
import { openEngine } from '../../open-store.ts';
import type { StoredBuckets } from '../engine.ts';

/** So slow that the time a test takes makes no difference. */
const SLOW = { perSecond: 1 / 3600, burst: 50 };

async function openNodes(count: number): Promise<{ url: string; nodes: StoredBuckets[] }> {
  const url = await newDatabase('postgres');
  const nodes = [];
  for (let number = 0; number < count; number++) nodes.push(openBuckets(url));
  return { url, nodes };
}

function openBuckets(url: string, options: { serving?: boolean } = {}): StoredBuckets {
  const engine = openEngine(url, options);
  onTestFinished(() => engine.close());
  if (!engine.sharedBuckets) throw new Error('no buckets');
  return engine.sharedBuckets;
}

async function leaseOne(node: StoredBuckets | undefined, limit: RateLimit, wanted: number, bucket = 'api:a') {
  const [lease] = (await node?.lease([{ bucket, limit, wanted }])) ?? [];
  if (!lease) throw new Error('no lease');
  return lease;
}

test('nodes that lease from one bucket at the same time get exactly what is in it', async () => {
  const { nodes } = await openNodes(3);
  for (const bucket of ['api:a', 'api:b', 'failed:2001:db8:0:1::/64']) {
    const leases = await Promise.all(
      Array.from({ length: 30 }, (_, number) => leaseOne(nodes[number % 3], SLOW, 1 + (number % 4), bucket)),
    );
    expect(leases.reduce((sum, { granted }) => sum + granted, 0)).toBe(SLOW.burst);
    expect((await leaseOne(nodes[0], SLOW, 5, bucket)).granted).toBe(0);
  }
});

test('leases from many buckets in any order do not deadlock', async () => {
  const { nodes } = await openNodes(3);
  const names = Array.from({ length: 40 }, (_, number) => `api:${number}`);
  const leases = await Promise.all(
    nodes.map(async (node, number) => {
      const order = number === 1 ? names.toReversed() : names;
      const granted = [];
      for (let round = 0; round < 20; round++) {
        granted.push(...(await node.lease(order.map((bucket) => ({ bucket, limit: SLOW, wanted: 1 })))));
      }
      return granted;
    }),
  );
  expect(leases.flat().reduce((sum, { granted }) => sum + granted, 0)).toBe(names.length * SLOW.burst);
});

test('the database counts as one process would, also when limits change', async () => {
  const { nodes } = await openNodes(1);
  const steps = fc.array(
    fc.record({
      bucket: fc.constantFrom('api:a', 'token:a'),
      limit: fc.record({ perSecond: fc.constantFrom(1 / 3600, 2 / 3600), burst: fc.constantFrom(1, 7, 50, 200) }),
      wanted: fc.integer({ min: 1, max: 30 }),
    }),
    { minLength: 1, maxLength: 12 },
  );
  let run = 0;
  const property = fc.asyncProperty(steps, async (list) => {
    run++;
    const model = new BucketsInMemory(() => 0);
    for (const { bucket, limit, wanted } of list) {
      const [expected] = await model.lease([{ bucket, limit, wanted }]);
      const actual = await leaseOne(nodes[0], limit, wanted, `${bucket}${run}`);
      expect(actual.granted).toBe(expected?.granted);
      expect(Math.abs(actual.untilFullMs - (expected?.untilFullMs ?? 0))).toBeLessThan(60_000);
    }
  });
  await fc.assert(property, { numRuns: 30 });
});

test('calls come back with time, by the clock of the server', async () => {
  const { nodes } = await openNodes(1);
  const limit = { perSecond: 20, burst: 10 };
  expect(await leaseOne(nodes[0], limit, 10)).toMatchObject({ granted: 10 });
  await expect.poll(async () => (await leaseOne(nodes[0], limit, 1)).granted, { interval: 5 }).toBe(1);
  await new Promise((resolve) => setTimeout(resolve, 1000));
  const { granted, untilFullMs } = await leaseOne(nodes[0], limit, 100);
  expect(granted).toBe(10);
  expect(untilFullMs).toBeCloseTo(500, 0);
});

test.each([
  { perSecond: 60, burst: 60 },
  { perSecond: 300, burst: 600 },
  { perSecond: 7 / 60, burst: 7 },
  { perSecond: 1_000_000, burst: 1_000_000 },
])('one call takes exactly one from a full bucket, with $perSecond a second', async (limit) => {
  const { nodes } = await openNodes(1);
  for (let caller = 0; caller < 40; caller++) {
    const { untilFullMs } = await leaseOne(nodes[0], limit, 1, `api:${caller}`);
    expect(callsLeft(termsOf(limit), untilFullMs)).toBe(limit.burst - 1);
  }
});

test('a server whose clock was set back keeps nobody waiting for longer than an empty bucket', async () => {
  const { url, nodes } = await openNodes(1);
  await leaseOne(nodes[0], SLOW, 1);
  await onDatabase(url, 'update rate_limits set asked_at = asked_at + 1e12');
  const { granted, untilFullMs } = await leaseOne(nodes[0], SLOW, 1);
  expect(granted).toBe(0);
  expect(untilFullMs).toBeCloseTo((SLOW.burst / SLOW.perSecond) * 1000, -1);
});

test('only full buckets are deleted', async () => {
  const { url, nodes } = await openNodes(1);
  await leaseOne(nodes[0], SLOW, 1, 'api:used');
  await leaseOne(nodes[0], { perSecond: 1_000_000, burst: 1 }, 1, 'api:full');
  await expect
    .poll(async () => {
      await nodes[0]?.removeFull();
      return onDatabase(url, 'select bucket from rate_limits');
    })
    .toEqual([{ bucket: 'api:used' }]);
});

test('any number of full buckets is deleted within the time limits of requests, and meanwhile calls are leased', async () => {
  const { url, nodes } = await openNodes(1);
  const serving = openBuckets(url, { serving: true });
  await leaseOne(nodes[0], SLOW, 1, 'api:used');
  await onDatabase(
    url,
    `insert into rate_limits (bucket, asked_at, until_full_ms, interval_ms, burst, granted)
     select 'failed:' || md5(number::text), 1, 1, 6000, 10, 1 from generate_series(1, 400000) as number`,
  );
  const remaining = () => onDatabase(url, 'select bucket from rate_limits limit 2');
  let isSwept = false;
  // On a busy machine, a statement may take too long all the same. If all of them did, this would never end.
  const unlessBusy = (error: unknown) => {
    if (!isFailure(error, 'unavailable')) throw error;
    return undefined;
  };
  let leased = 0;
  const sweep = async () => {
    do await serving.removeFull().catch(unlessBusy);
    while ((await remaining()).length > 1);
    isSwept = true;
  };
  const lease = async () => {
    while (!isSwept) if (await leaseOne(nodes[0], SLOW, 1, 'api:used').catch(unlessBusy)) leased++;
  };
  await Promise.all([sweep(), lease()]);
  expect(leased).toBeGreaterThan(0);
  expect(await remaining()).toEqual([{ bucket: 'api:used' }]);
});
