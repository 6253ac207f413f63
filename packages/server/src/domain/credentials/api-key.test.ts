import fc from 'fast-check';
import { expect, test } from 'vitest';
import { hashSecret } from '../secret.ts';
import { environmentOfSecret, makeSecret, previewOf } from './api-key.ts';

test('a secret names its environment, is one word, and never repeats', () => {
  const secrets = Array.from({ length: 200 }, () => makeSecret('sandbox'));
  for (const secret of secrets) {
    expect(secret).toMatch(/^rc_sandbox_[0-9a-z]{57}$/);
    expect(environmentOfSecret(secret)).toBe('sandbox');
  }
  expect(new Set(secrets).size).toBe(secrets.length);
  expect(environmentOfSecret(makeSecret('production', () => new Uint8Array(32)))).toBe('production');
});

test('any changed character is noticed before the store is read', () => {
  const secret = makeSecret('production');
  fc.assert(
    fc.property(
      fc.integer({ min: 0, max: secret.length - 1 }),
      fc.constantFrom(...'0123456789abcdefghijklmnopqrstuvwxyz_-'),
      (at, letter) => {
        fc.pre(secret[at] !== letter);
        expect(environmentOfSecret(secret.slice(0, at) + letter + secret.slice(at + 1))).toBeUndefined();
      },
    ),
  );
});

test('the stored preview tells keys apart and does not reveal the secret', () => {
  const secret = makeSecret('production');
  expect(previewOf(secret)).toMatch(/^rc_production_[0-9a-z]{4}…[0-9a-z]{4}$/);
  expect(hashSecret(secret)).toMatch(/^[0-9a-f]{64}$/);
  expect(hashSecret(secret)).not.toBe(hashSecret(makeSecret('production')));
});
