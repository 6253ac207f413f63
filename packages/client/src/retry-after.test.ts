import { expect, test } from 'vitest';
import { parseRetryAfter } from './retry-after.ts';

const NOW = Date.parse('2026-01-31T09:30:00.000Z');

test.each([
  [null, undefined],
  ['0', 0],
  ['120', 120_000],
  ['Sat, 31 Jan 2026 09:30:30 GMT', 30_000],
  ['Sat, 31 Jan 2026 09:00:00 GMT', 0],
  ['soon', undefined],
  ['', undefined],
  ['-5', undefined],
  ['1.5', undefined],
  ['2026-01-31', undefined],
  ['99999999999', 99_999_999_999_000],
])('Retry-After %j asks for %j milliseconds', (value, milliseconds) => {
  expect(parseRetryAfter(value, NOW)).toBe(milliseconds);
});
