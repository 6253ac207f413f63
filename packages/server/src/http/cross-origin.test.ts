import { expect, test } from 'vitest';
import { LIST_PATH, openTestApi, send, TOKEN_PATH } from '../testing/test-api.ts';
import { openTestConsole } from '../testing/test-console.ts';
import { openOnce } from '../testing/when-finished.ts';

const PAGE = 'https://app.example';
const OTHER = 'https://other.example';
const ALLOW_ORIGIN = 'access-control-allow-origin';

const preflight = (url: string, origin: string) =>
  send(url, {
    method: 'OPTIONS',
    headers: { origin, 'access-control-request-method': 'GET', 'access-control-request-headers': 'api-key' },
  });

test('pages of a listed origin may call the API and read the answer, also when it is an error', async () => {
  const { address } = await openTestApi(undefined, { corsOrigins: ['http://localhost:5173', PAGE] });
  for (const path of [TOKEN_PATH, LIST_PATH, '/nothing', '/openapi.json', '/healthz']) {
    const { headers } = await send(address.production + path, { headers: { origin: PAGE } });
    expect(headers.get(ALLOW_ORIGIN), path).toBe(PAGE);
    expect(headers.get('access-control-expose-headers')).toContain('RateLimit');
    expect(headers.get('vary')).toContain('Origin');
    expect(headers.has('access-control-allow-credentials')).toBe(false);
  }
});

test('a browser that asks first learns which methods and headers it may send', async () => {
  const { address } = await openTestApi(undefined, { corsOrigins: [PAGE] });
  for (const path of [TOKEN_PATH, LIST_PATH, '/api/v1/clients/1700000000000-0001/']) {
    const { status, headers } = await preflight(address.sandbox + path, PAGE);
    expect(status).toBe(204);
    expect(headers.get(ALLOW_ORIGIN)).toBe(PAGE);
    expect(headers.get('access-control-allow-methods')).toBe(headers.get('allow'));
    expect(headers.get('access-control-allow-headers')).toMatch(/api-key, authorization/);
    expect(headers.get('access-control-max-age')).toBe('7200');
  }
  const client = await preflight(`${address.sandbox}/api/v1/clients/1700000000000-0001/`, PAGE);
  expect(client.headers.get('access-control-allow-methods')).toBe('DELETE, GET, HEAD, OPTIONS, PATCH');
});

const sharedApi = openOnce(() => openTestApi(undefined, { corsOrigins: [PAGE] }));

test.each([OTHER, 'null', `${PAGE}.evil.example`, 'https://APP.example', `${PAGE}:8443`])(
  'pages of another origin learn nothing: %s',
  async (origin) => {
    const { address } = await sharedApi();
    const answers = [
      await preflight(address.production + LIST_PATH, origin),
      await send(address.production + LIST_PATH, { headers: { origin } }),
    ];
    for (const { headers } of answers) {
      expect([...headers.keys()].filter((name) => name.startsWith('access-control'))).toEqual([]);
      expect(headers.get('vary')).toContain('Origin');
    }
  },
);

test('by default no page may call, and the dashboard never lets one', async () => {
  const { address } = await openTestApi();
  const { headers } = await preflight(address.production + LIST_PATH, PAGE);
  expect(headers.has(ALLOW_ORIGIN)).toBe(false);
  expect(headers.get('vary')).toBe('Accept-Encoding');
  const dashboard = await openTestConsole();
  const answer = await preflight(`${dashboard.address}/console/session`, PAGE);
  expect(answer.headers.has(ALLOW_ORIGIN)).toBe(false);
});
