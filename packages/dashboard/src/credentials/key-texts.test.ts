import { expect, test } from 'vitest';
import { accessText } from './access.ts';
import { exampleCommand } from './example-command.ts';
import { changedFields } from './key-form.ts';
import { networksIn } from './networks-text.ts';
import { emptyLimitText, rateLimitText } from './rate-limit-text.ts';

test.each([
  [null, '100 per second, up to 200 at once (the limit of all keys)'],
  ['0', 'No limit'],
  ['500/s,1000', '500 per second, up to 1,000 at once'],
  ['60/m,60', '60 per minute, up to 60 at once'],
  ['1/h,1', '1 per hour, up to 1 at once'],
])('the rate limit %j is shown as %j', (limit, shown) => {
  expect(rateLimitText(limit, '100/s,200')).toBe(shown);
});

test('the limit of all keys is named where a key has none of its own, also when it is none', () => {
  expect(rateLimitText(null, '0')).toBe('No limit (the limit of all keys)');
  expect(emptyLimitText('50/m,60')).toBe('Leave it empty for the limit of all keys, which is 50/m,60.');
  expect(emptyLimitText('0')).toBe('Leave it empty for the limit of all keys, which is none.');
  expect(emptyLimitText(undefined)).toBe('Leave it empty for the limit of all keys.');
});

test('access is the same in words, whatever the order of the scopes', () => {
  expect(accessText(['clients:read'])).toBe('Read clients');
  expect(accessText(['clients:write'])).toBe('Change clients');
  expect(accessText(['clients:write', 'clients:read'])).toBe('Read and change clients');
});

test('networks may be on lines of their own or separated by commas, with spaces and empty lines', () => {
  expect(networksIn(' 10.0.0.0/8\r\n\n2001:db8::1, 203.0.113.7;192.0.2.1 198.51.100.1,')).toEqual([
    '10.0.0.0/8',
    '2001:db8::1',
    '203.0.113.7',
    '192.0.2.1',
    '198.51.100.1',
  ]);
  expect(networksIn(' \n ')).toEqual([]);
});

test('only changed fields of a key are sent, and nothing when nothing was changed', () => {
  const before = { name: 'a', note: '', allowed_networks: ['10.0.0.1'], expires_at: null, rate_limit: null };
  expect(changedFields(before, { ...before, allowed_networks: ['10.0.0.1'] })).toEqual({});
  const after = { ...before, note: 'b', allowed_networks: [], expires_at: '2027-01-31T00:00:00.000Z' };
  expect(changedFields(before, after)).toEqual({
    note: 'b',
    allowed_networks: [],
    expires_at: '2027-01-31T00:00:00.000Z',
  });
  expect(changedFields(after, before)).toEqual({ note: '', allowed_networks: ['10.0.0.1'], expires_at: null });
});

test('the example of a key that may not read only gets an access token', () => {
  expect(exampleCommand('http://api', 'secret', ['clients:write'])).not.toContain('clients-list');
  expect(exampleCommand('http://api', 'secret', ['clients:read'])).toContain('clients-list');
});
