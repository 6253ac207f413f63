import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { formatTime, parseInstant, parseTime } from './time.ts';

test.each([
  ['2026-01-31T09:30:00.000Z', '2026-01-31T09:30:00.000Z'],
  ['2026-01-31', '2026-01-31T00:00:00.000Z'],
  ['2026-01-31 09:30', '2026-01-31T09:30:00.000Z'],
  ['2026-01-31T09:30:00.123456Z', '2026-01-31T09:30:00.123Z'],
  ['2026-01-31T09:30:00+02:00', '2026-01-31T07:30:00.000Z'],
  ['2024-02-29', '2024-02-29T00:00:00.000Z'],
  ['1970-01-01T00:00:00.000Z', '1970-01-01T00:00:00.000Z'],
  ['1969-12-31T23:30:00-01:00', '1970-01-01T00:30:00.000Z'],
  ['9999-12-31T23:59:59.999Z', '9999-12-31T23:59:59.999Z'],
])('%s is read', (text, expected) => {
  expect(formatTime(parseTime(text) ?? Number.NaN)).toBe(expected);
});

test.each([
  ['2026-01-31', '2026-01-31T00:00:00.000Z'],
  ['2026-01-31T09:30:00Z', '2026-01-31T09:30:00.000Z'],
  ['2026-01-31t09:30:00z', '2026-01-31T09:30:00.000Z'],
  ['2026-01-31T09:30:00-01:00', '2026-01-31T10:30:00.000Z'],
  ['2026-01-31T09:30:00.1230Z', '2026-01-31T09:30:00.123Z'],
  ['2026-01-31T09:30:00.123000001Z', '2026-01-31T09:30:00.124Z'],
])('as a point in time, %s is the first millisecond that is not before it', (text, expected) => {
  expect(formatTime(parseInstant(text) ?? Number.NaN)).toBe(expected);
});

test.each(['2026-01-31T09:30:00', '2026-01-31 09:30:00Z', '2026-01', '2026-01-31Z', 'T09:30:00Z', '2026-02-30'])(
  '%s is not a point in time',
  (text) => expect(parseInstant(text)).toBeUndefined(),
);

test('every time is formatted as ISO 8601 with milliseconds', () => {
  fc.assert(
    fc.property(fc.array(fc.integer({ min: 0, max: Date.UTC(9999, 11, 31) })), (times) => {
      const days = times.flatMap((time) => [time, time + 1, time + 86_399_999]);
      expect(days.map(formatTime)).toEqual(days.map((time) => new Date(time).toISOString()));
    }),
  );
});

test.each([
  '2026-02-30',
  '2025-02-29',
  '2026-13-01',
  '2026-01-31T24:00:00Z',
  '2026-01-31T09:60Z',
  '31.01.2026',
  'yesterday',
  '',
  '1969-12-31',
  '9999-12-31T23:59:59-01:00',
  '2026-1-1',
  '1729142752266',
  '10000-01-01',
  '+010000-01-01T00:00:00.000Z',
  '0099-01-01',
  '2026-01-31T09:30:00+24:00',
  '2026-01-31T09:30:00+02:60',
])('%j is not a time', (text) => {
  expect(parseTime(text)).toBeUndefined();
});
