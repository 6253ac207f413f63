import { expect, test } from 'vitest';
import { IdSet } from './id-set.ts';

test('a set has the ids that it was given, at once or later, and no others', () => {
  const ids = [1, 31, 32, 33, 63, 64, 65_535, 65_536, 65_567, 1_000_000, 2 ** 33 + 5];
  const later = new IdSet(ids.slice(0, 4));
  later.add(ids.slice(4));
  for (const set of [new IdSet(ids), later]) {
    for (const id of ids) {
      expect([id - 1, id, id + 1].map((each) => set.has(each))).toEqual(
        [id - 1, id, id + 1].map((each) => ids.includes(each)),
      );
    }
  }
  expect(new IdSet([]).has(1)).toBe(false);
});
