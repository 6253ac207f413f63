import { expect, test } from 'vitest';
import type { KeyRecord } from '#contract/credentials/keys.ts';
import { isUsable, stateOf } from './key-state.ts';

const NOW = Date.parse('2026-06-15T12:00:00.000Z');
const PAST = '2026-06-15T12:00:00.000Z';
const FUTURE = '2026-06-15T12:00:00.001Z';

const ACTIVE: KeyRecord = {
  key_id: 'key_1',
  name: 'Billing',
  note: '',
  preview: 'rc_sandbox_abcd…wxyz',
  scopes: ['clients:read'],
  allowed_networks: [],
  rate_limit: null,
  created_at: '2026-01-01T00:00:00.000Z',
  created_by: null,
  last_used_at: null,
  last_used_from: null,
  recent_calls: 0,
  idle: false,
  expires_at: null,
  revoked_at: null,
  old_secret_ends_at: null,
};

test.each([
  ['active', {}],
  ['active', { expires_at: FUTURE }],
  ['expired', { expires_at: PAST }],
  ['rolling', { old_secret_ends_at: FUTURE }],
  ['rolling', { old_secret_ends_at: FUTURE, expires_at: FUTURE }],
  ['active', { old_secret_ends_at: PAST }],
  ['expired', { old_secret_ends_at: FUTURE, expires_at: PAST }],
  ['revoked', { revoked_at: PAST, old_secret_ends_at: FUTURE, expires_at: PAST }],
] as const)('a key is %s when its times are %j', (state, times) => {
  expect(stateOf({ ...ACTIVE, ...times }, NOW)).toBe(state);
});

test('a key can be used while it is active or rolling', () => {
  expect((['active', 'rolling', 'expired', 'revoked'] as const).filter(isUsable)).toEqual(['active', 'rolling']);
});
