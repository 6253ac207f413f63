import { expect, test } from 'vitest';
import { aWorkspace } from '../testing/builders.ts';
import { rawRequest } from '../testing/raw-request.ts';
import { LIST_PATH, openTestApi, TOKEN_PATH } from '../testing/test-api.ts';
import { openTestConsole } from '../testing/test-console.ts';

/** One request for each kind of answer of a listener, whichever part of the program gives it. */
const REQUESTS: [what: string, lines: string[], status: number][] = [
  ['a token', [`GET ${TOKEN_PATH} HTTP/1.1`, 'Host: x', 'api-key: KEY'], 200],
  ['a page', [`GET ${LIST_PATH} HTTP/1.1`, 'Host: x', 'Authorization: Bearer TOKEN'], 200],
  ['a refused caller', [`GET ${LIST_PATH} HTTP/1.1`, 'Host: x'], 401],
  ['an unknown address', ['GET /nothing HTTP/1.1', 'Host: x'], 404],
  ['an address that cannot be read', ['GET /%C0%AF HTTP/1.1', 'Host: x'], 400],
  ['a method that is not accepted', [`QUERY ${LIST_PATH} HTTP/1.1`, 'Host: x'], 405],
  ['a body of an odd type', [`PUT ${LIST_PATH} HTTP/1.1`, 'Host: x', 'Content-Type: ?', 'Content-Length: 0'], 405],
  ['life', ['GET /healthz HTTP/1.1', 'Host: x'], 200],
  ['readiness', ['GET /readyz HTTP/1.1', 'Host: x'], 200],
  ['the OpenAPI document', ['GET /openapi.json HTTP/1.1', 'Host: x'], 200],
  ['the icon of the reference', ['GET /docs/icon.svg HTTP/1.1', 'Host: x'], 200],
  ['too long an address', [`GET /${'x'.repeat(9000)} HTTP/1.1`, 'Host: x'], 414],
  ['too large a body', ['POST / HTTP/1.1', 'Host: x', 'Content-Length: 9999999'], 413],
  ['two hosts', ['GET /healthz HTTP/1.1', 'Host: x', 'host: y'], 400],
  ['no HTTP at all', ['garbage'], 400],
  ['an expectation', ['GET /healthz HTTP/1.1', 'Host: x', 'Expect: tea'], 417],
  ['a proxy request', ['CONNECT example.org:443 HTTP/1.1', 'Host: x'], 405],
];

function headersOf(head: string): Record<string, string> {
  const [, ...lines] = head.split('\r\n');
  return Object.fromEntries(
    lines.map((line) => [line.split(': ')[0]?.toLowerCase(), line.slice(line.indexOf(': ') + 2)]),
  );
}

const FOR_DATA = {
  'x-content-type-options': 'nosniff',
  'content-security-policy': "default-src 'none'; frame-ancestors 'none'",
  'referrer-policy': 'no-referrer',
  'cache-control': 'no-store',
};

test.each([
  [undefined, undefined],
  ['http://rollcall.example', undefined],
  ['https://rollcall.example', 'max-age=31536000'],
])('at %s every answer of the API keeps browsers from sniffing, framing and running it', async (publicUrl, hsts) => {
  const api = await openTestApi(undefined, publicUrl === undefined ? {} : { publicUrl });
  const { secret } = await aWorkspace(api.store, api.clock, 'a@firm.example');
  const token = await api.token(secret);
  for (const [what, lines, status] of REQUESTS) {
    const request = `${lines.join('\r\n').replace('KEY', secret).replace('TOKEN', token)}\r\n\r\n`;
    const answer = await rawRequest(api.address.production, request);
    expect(answer.status, what).toBe(status);
    const headers = headersOf(answer.head);
    expect(headers, what).toMatchObject(FOR_DATA);
    expect(headers['strict-transport-security'], what).toBe(hsts);
    expect(headers['x-request-id'], what).toMatch(/./);
  }
});

test('the answer that a page has not changed carries the same headers', async () => {
  const api = await openTestApi();
  const { secret } = await aWorkspace(api.store, api.clock, 'a@firm.example');
  const authorization = `Bearer ${await api.token(secret)}`;
  const etag = (await api.get(LIST_PATH, { authorization })).headers.get('etag') ?? '';
  const { status, headers } = await api.get(LIST_PATH, { authorization, 'if-none-match': etag });
  expect(status).toBe(304);
  for (const [name, value] of Object.entries(FOR_DATA)) expect(headers.get(name)).toBe(value);
});

test('the API reference may run only its own script', async () => {
  const api = await openTestApi(undefined, { publicUrl: 'https://rollcall.example' });
  for (const path of ['/docs', '/docs/']) {
    const { status, headers } = await api.get(path);
    expect(status).toBe(200);
    expect(headers.get('content-security-policy')).toBe(
      "default-src 'none'; script-src 'self'; style-src 'self' 'unsafe-inline'; img-src 'self' data:; connect-src 'self'; form-action 'none'; base-uri 'none'; frame-ancestors 'none'",
    );
    expect(headers.get('x-content-type-options')).toBe('nosniff');
    expect(headers.get('referrer-policy')).toBe('no-referrer');
    expect(headers.get('strict-transport-security')).toBe('max-age=31536000');
  }
});

test.each(['[', 'a b', '\u00ff', 'x:99999', '/'])(
  'the reference is shown whatever the Host header is: %j',
  async (host) => {
    const api = await openTestApi();
    const request = Buffer.from(`GET /docs/ HTTP/1.1\r\nHost: ${host}\r\n\r\n`, 'latin1');
    expect((await rawRequest(api.address.production, request)).status).toBeLessThan(500);
  },
);

test('on the dashboard, answers that come from no route carry the headers of every page', async () => {
  const { address } = await openTestConsole({ publicUrl: 'https://rollcall.example' });
  for (const [lines, status] of [
    [['GET /console/nothing HTTP/1.1', 'Host: x'], 404],
    [['GET /%C0%AF HTTP/1.1', 'Host: x'], 400],
    [['GET / HTTP/1.1', 'Host: x', 'Host: x'], 400],
    [['garbage'], 400],
    [['CONNECT example.org:443 HTTP/1.1', 'Host: x'], 405],
  ] as const) {
    const answer = await rawRequest(address, `${lines.join('\r\n')}\r\n\r\n`);
    expect(answer.status).toBe(status);
    expect(headersOf(answer.head)).toMatchObject({
      'content-security-policy': expect.stringContaining("frame-ancestors 'none'"),
      'x-content-type-options': 'nosniff',
      'x-frame-options': 'DENY',
      'strict-transport-security': 'max-age=31536000',
    });
  }
});
