import { expect, test } from 'vitest';
import { activityFilters } from './queries.ts';

test('the days of the activity log are those of the reader, from the beginning of the first to the end of the last', () => {
  const { from, until } = activityFilters({ from: '2026-01-31', to: '2026-01-31' });
  expect(new Date(from ?? 0)).toEqual(new Date(2026, 0, 31));
  expect(new Date(until ?? 0)).toEqual(new Date(2026, 1, 1));
  expect(activityFilters({ kind: 'key', whole: true })).toEqual({ kind: 'key', whole: 'true' });
});
