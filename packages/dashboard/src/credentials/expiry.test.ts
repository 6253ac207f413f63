import { expect, test } from 'vitest';
import { dayOf, endOfDay, inDays } from './expiry.ts';

test('a key that expires on a day works until the last moment of that day where the reader is', () => {
  const end = new Date(endOfDay('2027-01-31'));
  expect(dayOf(end)).toBe('2027-01-31');
  expect(dayOf(new Date(end.getTime() + 1))).toBe('2027-02-01');
});

test('a day that is not a day is left for the form to refuse', () => {
  expect(endOfDay('')).toBe('');
  expect(endOfDay('soon')).toBe('soon');
});

test('a key that expires in 30 days expires at the same time of day', () => {
  expect(inDays(30, Date.parse('2026-11-15T10:20:30.000Z'))).toBe('2026-12-15T10:20:30.000Z');
});
