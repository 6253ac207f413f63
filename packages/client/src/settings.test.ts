import { inspect } from 'node:util';
import { expect, test } from 'vitest';
import { Rollcall } from './rollcall.ts';
import { readSettings } from './settings.ts';

const baseUrl = 'http://localhost:8080';

test.each([
  [{ baseUrl }, 'apiKey is missing'],
  [{ baseUrl, apiKey: '' }, 'apiKey is missing'],
  [{ baseUrl, apiKey: 'rc_x', accessToken: 'y' }, 'not both'],
  [{ baseUrl, apiKey: 'rc_secret\n' }, 'apiKey must consist of'],
  [{ baseUrl, accessToken: 'Bearer secret' }, 'accessToken must consist of'],
  [{ baseUrl: undefined, apiKey: 'rc_x' }, 'baseUrl is missing'],
  [{ baseUrl: 'localhost:8080', apiKey: 'rc_x' }, 'baseUrl must be'],
  [{ baseUrl: 'http://me:secret@localhost', apiKey: 'rc_x' }, 'baseUrl must be'],
  [{ baseUrl: 'http://localhost/?x=1', apiKey: 'rc_x' }, 'baseUrl must be'],
])('%j is refused at once, and no secret is repeated', (options, message) => {
  expect(() => new Rollcall(options)).toThrow(message);
  expect(() => new Rollcall(options)).not.toThrow(/secret/);
});

const TIMES = ['timeoutMs', 'retryForMs', 'retryBaseMs', 'retryMaxMs', 'intervalMs'];
const open = (options: Record<string, unknown>) => {
  const { intervalMs, ...others } = options;
  const rollcall = new Rollcall({ baseUrl, apiKey: 'rc_x', ...others });
  rollcall.clients.watch({}, 'intervalMs' in options ? { intervalMs: intervalMs as number } : {});
};

test.each([...TIMES, 'maxRetries'])(
  '%s that is not a valid number is refused at once, with a message that names it',
  (name) => {
    for (const value of ['5000', null, true, {}, 5n]) {
      expect(() => open({ [name]: value })).toThrow(TypeError);
      expect(() => open({ [name]: value })).toThrow(`${name} must be a number`);
    }
    for (const value of [Number.NaN, -1, -0.5, Number.NEGATIVE_INFINITY]) {
      expect(() => open({ [name]: value })).toThrow(RangeError);
      expect(() => open({ [name]: value })).toThrow(new RegExp(`^${name} must be .*, not ${value}\\.$`));
    }
  },
);

test.each(['timeoutMs', 'retryBaseMs', 'retryMaxMs', 'intervalMs'])(
  '%s must be a time that a timer supports',
  (name) => {
    for (const value of [2 ** 31, 1e300, Number.POSITIVE_INFINITY]) {
      expect(() => open({ [name]: value })).toThrow(RangeError);
      expect(() => open({ [name]: value })).toThrow(`to 2147483647 milliseconds, not ${value}.`);
    }
    expect(() => open({ [name]: 2 ** 31 - 1 })).not.toThrow();
  },
);

test('a timeout must not be 0, a number of retries must be whole, and retries may be unlimited', () => {
  expect(() => open({ timeoutMs: 0 })).toThrow('timeoutMs must be from 1 to 2147483647 milliseconds, not 0.');
  expect(() => open({ maxRetries: 1.5 })).toThrow('maxRetries must be a whole number from 0, or Infinity, not 1.5.');
  expect(() => open({ maxRetries: Number.POSITIVE_INFINITY, retryForMs: Number.POSITIVE_INFINITY })).not.toThrow();
  expect(() => open({ maxRetries: 0, retryForMs: 0, retryBaseMs: 0, retryMaxMs: 0, intervalMs: 0 })).not.toThrow();
});

test.each(['fetch', 'onRetry'])('%s must be a function', (name) => {
  expect(() => open({ [name]: 'fetch' })).toThrow(`${name} must be a function.`);
});

test.each([
  ['http://localhost:8080', 'http://localhost:8080'],
  ['http://localhost:8080/', 'http://localhost:8080'],
  ['https://firm.example/rollcall//', 'https://firm.example/rollcall'],
  ['http://localhost:8080/api/v1', 'http://localhost:8080'],
  ['http://localhost:8080/api/v1/', 'http://localhost:8080'],
  ['https://firm.example/rollcall/api/v1//', 'https://firm.example/rollcall'],
  ['https://firm.example/my-api/v1', 'https://firm.example/my-api/v1'],
  ['https://firm.example/api', 'https://firm.example/api'],
])('the base address %s may end in a slash or in the path of the API, or contain another path', (given, used) => {
  expect(readSettings({ baseUrl: given, apiKey: 'rc_x' }).baseUrl).toBe(used);
});

test('printing a client object does not show the API key', () => {
  expect(inspect(new Rollcall({ baseUrl, apiKey: 'rc_secret' }), { depth: 9 })).not.toContain('rc_secret');
});
