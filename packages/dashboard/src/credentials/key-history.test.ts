import { expect, test } from 'vitest';
import { endTexts, secretText } from './key-history.ts';

const [JAN, FEB, MAR] = ['2026-01-01T00:00:00.000Z', '2026-02-01T00:00:00.000Z', '2026-03-01T00:00:00.000Z'];

const ACTIVE = { state: 'active', expires_at: null, revoked_at: null } as const;
const ROLLING = { ...ACTIVE, state: 'rolling' } as const;
const EXPIRED = { ...ACTIVE, state: 'expired', expires_at: FEB } as const;
const REVOKED = { ...ACTIVE, state: 'revoked', revoked_at: FEB } as const;

const CURRENT = { created_at: JAN, ends_at: null, works: true };
const OLD = { created_at: JAN, ends_at: MAR, works: true };
const ENDED = { created_at: JAN, ends_at: JAN, works: false };

test.each([
  [ACTIVE, CURRENT, 'Current secret, created', JAN],
  [ROLLING, OLD, 'Old secret, works until', MAR],
  [ACTIVE, ENDED, 'Old secret, ended', JAN],
  [EXPIRED, CURRENT, 'Current secret, worked until', FEB],
  [EXPIRED, OLD, 'Old secret, worked until', FEB],
  [REVOKED, CURRENT, 'Last secret, worked until', FEB],
  [REVOKED, OLD, 'Old secret, worked until', FEB],
  [REVOKED, { ...OLD, works: false }, 'Old secret, worked until', FEB],
  [REVOKED, ENDED, 'Old secret, ended', JAN],
  [{ ...REVOKED, expires_at: JAN }, CURRENT, 'Last secret, worked until', JAN],
  [{ ...REVOKED, expires_at: MAR }, CURRENT, 'Last secret, worked until', FEB],
] as const)('of the key %j, the secret %j is called “%s %s”', (key, secret, words, time) => {
  expect(secretText(key, secret)).toEqual([words, time]);
});

test.each([
  [ACTIVE, [['Expires', null]]],
  [{ ...ACTIVE, expires_at: MAR }, [['Expires', MAR]]],
  [EXPIRED, [['Expired', FEB]]],
  [REVOKED, [['Revoked', FEB]]],
  [
    { ...REVOKED, expires_at: MAR },
    [
      ['Revoked', FEB],
      ['Would have expired', MAR],
    ],
  ],
  [
    { ...REVOKED, expires_at: JAN },
    [
      ['Expired', JAN],
      ['Revoked', FEB],
    ],
  ],
] as const)('the end of the key %j is told as %j', (key, texts) => {
  expect(endTexts(key)).toEqual(texts);
});
