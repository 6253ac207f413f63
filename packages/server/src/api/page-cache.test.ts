import { expect, test } from 'vitest';
import { PageCache } from './page-cache.ts';

const page = (length: number) => ({ status: 200, body: 'x'.repeat(length), headers: [], encoding: 'latin1' as const });

test('it forgets the longest unused page when it is full', () => {
  const cache = new PageCache(8000);
  for (const key of ['a', 'b', 'c']) cache.set(key, page(1000));
  cache.get('a');
  for (const key of ['d', 'e']) cache.set(key, page(1000));
  expect(['a', 'b', 'c', 'd', 'e'].filter((key) => cache.get(key))).toEqual(['a', 'd', 'e']);
});

test('it never holds more than its bound, and with a bound of nothing it holds nothing', () => {
  const cache = new PageCache(100_000);
  for (let n = 0; n < 1000; n++) cache.set(String(n), page(n % 7 === 0 ? 60_000 : 500));
  const held = Array.from({ length: 1000 }, (_, n) => cache.get(String(n))?.body.length ?? 0);
  expect(held.reduce((sum, length) => sum + length)).toBeLessThan(100_000);
  expect(held.some((length) => length > 0)).toBe(true);

  const none = new PageCache(0);
  none.set('a', page(1));
  expect(none.get('a')).toBeUndefined();
});
