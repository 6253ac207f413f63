import fc from 'fast-check';
import { expect, test } from 'vitest';
import { hasVersion, type VersionRange, withVersion } from './bulk-change.ts';

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
