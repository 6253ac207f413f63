import fc from 'fast-check';
import { expect, test } from 'vitest';
import { hasVersion, type VersionRange, withChanged, withVersion } from './bulk-change.ts';

test('the versions of a change are found again, and no others', () => {
  const versions = fc.uniqueArray(fc.integer({ min: 1, max: 200 }), { maxLength: 100 });
  fc.assert(
    fc.property(versions, (unordered) => {
      const known = unordered.toSorted((a, b) => a - b);
      const ranges = known.reduce<VersionRange[]>(withVersion, []);
      const found = Array.from({ length: 202 }, (_, version) => version).filter((each) => hasVersion(ranges, each));
      expect(found).toEqual(known);
    }),
  );
});

const span = (first: number, last: number) => ({
  first: { createdAt: first, id: first },
  last: { createdAt: last, id: last },
});

test('the span of changed clients grows with each step that changes some', () => {
  const first = withChanged({ span: null, changed: 0 }, span(1, 5), 3);
  expect(first).toEqual({ ...span(1, 5), clients: 3 });
  const second = withChanged({ span: first, changed: 3 }, span(7, 9), 2);
  expect(second).toEqual({ ...span(1, 9), clients: 5 });
  expect(withChanged({ span: second, changed: 5 }, span(10, 20), 0)).toBe(second);
});

test('a span that lacks clients which an older program has changed is given up', () => {
  expect(withChanged({ span: null, changed: 3 }, span(7, 9), 2)).toBeNull();
  expect(withChanged({ span: { ...span(1, 5), clients: 2 }, changed: 3 }, span(7, 9), 2)).toBeNull();
});
