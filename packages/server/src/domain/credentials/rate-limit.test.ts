import fc from 'fast-check';
import { expect, test } from 'vitest';
import { describeRate, formatRateLimit, parseRateLimit } from './rate-limit.ts';

test.each([
  ['100/s,200', { perSecond: 100, burst: 200 }],
  ['60/m,60', { perSecond: 1, burst: 60, period: 'm' }],
  ['10/m', { perSecond: 10 / 60, burst: 10, period: 'm' }],
  ['36000/h, 5', { perSecond: 10, burst: 5, period: 'h' }],
  ['0', null],
])('%s is a rate limit', (text, expected) => {
  expect(parseRateLimit(text)).toEqual(expected);
});

test.each(['', '100', '0/s', '1/s,0', '-1/s', '1.5/s', '1/d', '100/s,', '1/s,2,3', '2000000/s', '1/s,2000000', 'off'])(
  '"%s" is not a rate limit',
  (text) => {
    expect(parseRateLimit(text)).toBeUndefined();
  },
);

test('a rate limit that is written and read again is the same', () => {
  const rate = fc.integer({ min: 1, max: 1_000_000 });
  const property = fc.property(rate, fc.constantFrom('s', 'm', 'h'), rate, (calls, period, burst) => {
    const limit = parseRateLimit(`${calls}/${period},${burst}`);
    if (!limit) throw new Error('not read');
    expect(formatRateLimit(limit)).toBe(`${calls}/${period},${burst}`);
    expect(parseRateLimit(formatRateLimit(limit))).toEqual(limit);
  });
  fc.assert(property);
});

test.each([
  ['60/m', '60 calls a minute'],
  ['1/s,60', '1 call a second'],
  ['3600/h', '3600 calls an hour'],
])('%s is described in the period in which it was written: %s', (text, words) => {
  const limit = parseRateLimit(text);
  expect(limit && describeRate(limit, 'call')).toBe(words);
});
