import { expect, test } from 'vitest';
import { BucketsInMemory } from './shared-buckets.ts';

test('failed exchanges from very many addresses do not give a key its calls back', async () => {
  const buckets = new BucketsInMemory(() => 1000);
  const key = { bucket: 'api:key_1', limit: { perSecond: 1, burst: 20 }, wanted: 20 };
  expect(await buckets.lease([key])).toMatchObject([{ granted: 20 }]);
  const limit = { perSecond: 1, burst: 10 };
  for (let address = 0; address < 60_000; address++) {
    await buckets.lease([{ bucket: `failed:2001:db8:0:${address.toString(16)}::/64`, limit, wanted: 1 }]);
  }
  expect(await buckets.lease([key])).toMatchObject([{ granted: 0 }]);
});
