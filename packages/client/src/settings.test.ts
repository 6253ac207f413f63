import { inspect } from 'node:util';
import { expect, test } from 'vitest';
import { Rollcall } from './rollcall.ts';
import { settingsOf } from './settings.ts';

const baseUrl = 'http://localhost:8080';

test.each([
  [{ baseUrl }, 'apiKey is missing'],
  [{ baseUrl, apiKey: '' }, 'apiKey is missing'],
  [{ baseUrl, apiKey: 'rc_x', accessToken: 'y' }, 'not both'],
  [{ baseUrl, apiKey: 'rc_secret\n' }, 'apiKey must be one word'],
  [{ baseUrl, accessToken: 'Bearer secret' }, 'accessToken must be one word'],
  [{ baseUrl: undefined, apiKey: 'rc_x' }, 'baseUrl is missing'],
  [{ baseUrl: 'localhost:8080', apiKey: 'rc_x' }, 'baseUrl must be'],
  [{ baseUrl: 'http://me:secret@localhost', apiKey: 'rc_x' }, 'baseUrl must be'],
  [{ baseUrl: 'http://localhost/?x=1', apiKey: 'rc_x' }, 'baseUrl must be'],
  [{ baseUrl, apiKey: 'rc_x', maxRetries: -1 }, 'maxRetries must be'],
  [{ baseUrl, apiKey: 'rc_x', timeoutMs: Number.NaN }, 'timeoutMs must be'],
])('%j is refused at once, and no secret is repeated', (options, message) => {
  expect(() => new Rollcall(options)).toThrow(message);
  expect(() => new Rollcall(options)).not.toThrow(/secret/);
});

test.each([
  ['http://localhost:8080', 'http://localhost:8080'],
  ['http://localhost:8080/', 'http://localhost:8080'],
  ['https://firm.example/rollcall//', 'https://firm.example/rollcall'],
])('the base address %s may end in a slash or hold a path', (given, used) => {
  expect(settingsOf({ baseUrl: given, apiKey: 'rc_x' }).baseUrl).toBe(used);
});

test('what is printed of a client shows no key', () => {
  expect(inspect(new Rollcall({ baseUrl, apiKey: 'rc_secret' }), { depth: 9 })).not.toContain('rc_secret');
});
