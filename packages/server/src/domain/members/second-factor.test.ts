import { expect, test } from 'vitest';
import { codeAt, makeSecondFactorSecret, stepOfCode } from './second-factor.ts';

/** The key of RFC 6238 (appendix B), in base 32; its codes have eight digits, of which apps show the last six. */
const SECRET = 'GEZDGNBVGY3TQOJQGEZDGNBVGY3TQOJQ';

test.each([
  [59, '287082'],
  [1111111109, '081804'],
  [1111111111, '050471'],
  [1234567890, '005924'],
  [2000000000, '279037'],
  [20000000000, '353130'],
])('at %d seconds the code is %s', (seconds, code) => {
  expect(codeAt(SECRET, seconds * 1000)).toBe(code);
  expect(stepOfCode(SECRET, code, seconds * 1000)).toBe(Math.floor(seconds / 30));
});

test('a code is valid one step early and one step late, and no further', () => {
  const now = 1_234_567_890_000;
  const code = codeAt(SECRET, now);
  expect([-60, -30, 0, 30, 60].map((seconds) => stepOfCode(SECRET, code, now + seconds * 1000) !== undefined)).toEqual([
    false,
    true,
    true,
    true,
    false,
  ]);
});

test('a code may contain a space in the middle; anything else is not a code', () => {
  expect(stepOfCode(SECRET, '287 082', 59_000)).toBe(1);
  for (const code of ['', '28708', '2870821', 'abcdef', '-87082']) {
    expect(stepOfCode(SECRET, code, 59_000)).toBeUndefined();
  }
});

test('secrets are 160 random bits in base 32', () => {
  expect(makeSecondFactorSecret()).toMatch(/^[A-Z2-7]{32}$/);
  expect(makeSecondFactorSecret()).not.toBe(makeSecondFactorSecret());
});
