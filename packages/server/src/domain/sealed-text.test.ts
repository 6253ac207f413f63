import { inspect } from 'node:util';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { InstallationSecret, sealedBy } from './sealed-text.ts';

const PLACE = { table: 'members', column: 'second_factor_secret', row: 7 };
const HEX = 'c0ffee15600d1dea0123456789abcdeffedcba98765432100a1b2c3d4e5f6071';

test('any text is opened with the same secret at the same place, and is not readable before', () => {
  const secret = InstallationSecret.generate();
  fc.assert(
    fc.property(fc.string({ unit: 'grapheme' }), fc.string(), (text, row) => {
      const place = { ...PLACE, row };
      const sealed = secret.seal(place, text);
      expect(secret.open(place, sealed)).toBe(text);
      expect(sealedBy(sealed)).toBe(secret.id);
      expect(secret.seal(place, text), 'a new nonce every time').not.toBe(sealed);
      if (text.length > 3) expect(Buffer.from(sealed.split(':')[3] ?? '', 'base64url').includes(text)).toBe(false);
    }),
  );
});

test('a sealed text cannot be moved to another table, column or row, not even to one with a similar name', () => {
  const secret = InstallationSecret.generate();
  const sealed = secret.seal(PLACE, 'a seed');
  const others = [
    { row: 8 },
    { row: '7"' },
    { column: 'email' },
    { table: 'sessions' },
    { table: 'members.second_factor_secret' },
  ];
  for (const other of others) expect(() => secret.open({ ...PLACE, ...other }, sealed)).toThrow(/is damaged/);
  expect(secret.open({ ...PLACE, row: '7' }, sealed)).toBe('a seed');
});

test('a text that was changed in any byte, or cut off, is reported as damaged', () => {
  const secret = InstallationSecret.generate();
  const sealed = secret.seal(PLACE, 'a seed');
  const start = sealed.lastIndexOf(':') + 1;
  const bytes = Buffer.from(sealed.slice(start), 'base64url');
  for (let index = 0; index < bytes.length; index++) {
    const changed = Buffer.from(bytes);
    changed[index] = (changed[index] ?? 0) ^ 1;
    expect(() => secret.open(PLACE, sealed.slice(0, start) + changed.toString('base64url'))).toThrow(/is damaged/);
  }
  for (const cut of [sealed.slice(0, -4), sealed.slice(0, start + 8), sealed.slice(0, start), 'a seed', '']) {
    expect(() => secret.open(PLACE, cut)).toThrow(/is damaged/);
  }
});

test('another secret is told apart from damage by its id', () => {
  const [one, other] = [InstallationSecret.generate(), InstallationSecret.generate()];
  expect(sealedBy(other.seal(PLACE, 'a seed'))).toBe(other.id);
  expect(one.id).not.toBe(other.id);
  expect(sealedBy('JBSWY3DPEHPK3PXP'), 'not sealed').toBeUndefined();
});

test('a secret is 32 random bytes in hex or base64url, and nothing else', () => {
  const secret = InstallationSecret.parse(HEX);
  const bytes = Buffer.from(HEX, 'hex');
  expect(secret?.reveal()).toBe(bytes.toString('base64url'));
  expect(InstallationSecret.parse(bytes.toString('base64url'))?.id).toBe(secret?.id);
  expect(InstallationSecret.parse(HEX.toUpperCase())?.id).toBe(secret?.id);
  const wrong = [
    '',
    HEX.slice(1),
    `${HEX}0`,
    `${HEX.slice(0, -1)}x`,
    `${HEX.slice(0, 32)} ${HEX.slice(33)}`,
    bytes.toString('base64'),
    `${bytes.toString('base64url')}=`,
    bytes.subarray(1).toString('base64url'),
    '0'.repeat(64),
    'deadbeef'.repeat(8),
    'A'.repeat(43),
    'correct horse battery staple',
  ];
  for (const text of wrong) expect(InstallationSecret.parse(text), text).toBeUndefined();
  expect(InstallationSecret.parse(InstallationSecret.generate().reveal())).toBeDefined();
});

test('a secret does not appear when it is printed or serialised, and cannot be derived from its id', () => {
  const secret = InstallationSecret.parse(HEX);
  const shown = `${inspect(secret, { depth: 9, showHidden: true })} ${JSON.stringify(secret)} ${secret}`;
  expect(shown).toContain(secret?.id);
  for (const form of [HEX, secret?.reveal() ?? '']) expect(shown).not.toContain(form.slice(0, 10));
  expect(HEX).not.toContain(secret?.id);
});
