import { expect, test } from 'vitest';
import { isUsable } from './key-state.ts';

test('a key can be used while it is active or rolling', () => {
  expect((['active', 'rolling', 'expired', 'revoked'] as const).filter(isUsable)).toEqual(['active', 'rolling']);
});
