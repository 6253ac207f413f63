import { expect, test } from 'vitest';
import { makeSecret } from '../packages/server/src/domain/credentials/api-key.ts';
import { secretsIn } from './check-secrets.ts';

test('a key of ours is found by its checksum and not repeated, and an invented one may be written', () => {
  const secret = makeSecret('production');
  const found = secretsIn('notes.md', `The key is ${secret}, keep it.`);
  expect(found).toEqual(['notes.md contains an API key.']);
  const invented = `rc_production_${'a'.repeat(57)}`;
  expect(secretsIn('notes.md', `api-key: ${invented}`)).toEqual([]);
});

test.each([
  ['a private key', `-----BEGIN PRIVATE KEY-----\n${'MIIEvQIBADANBgkqhkiG9w0BAQEFAASC'.repeat(4)}\n`],
  ['an AWS access key', ['AKIA', 'IOSFODNN7EXAMPLE'].join('')],
  ['a GitHub token', `ghp_${'a1'.repeat(18)}`],
  ['an npm token', `npm_${'a1'.repeat(18)}`],
])('%s is found', (name, text) => {
  expect(secretsIn('x', text)).toEqual([`x contains ${name}.`]);
});
