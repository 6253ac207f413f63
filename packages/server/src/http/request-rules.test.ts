import { IncomingMessage, request as startRequest } from 'node:http';
import { Socket } from 'node:net';
import { setImmediate as turnOfTheLoop } from 'node:timers/promises';
import { pino } from 'pino';
import { expect, test } from 'vitest';
import { NetworkList } from '../domain/network-address.ts';
import { LIST_PATH, openTestApi, TOKEN_PATH } from '../testing/test-api.ts';
import { openTestConsole } from '../testing/test-console.ts';
import { Backlog } from './backlog.ts';
import { Lifecycle } from './lifecycle.ts';
import { RequestLog } from './request-log.ts';
import { RequestQueue } from './request-queue.ts';
import { RequestRules } from './request-rules.ts';

const EXPORT = '/console/sandbox/clients.csv';
const LONG = 'x'.repeat(9000);
const COMMON_HEADERS = ['x-request-id', 'cache-control', 'x-content-type-options', 'content-security-policy'];

type Sent = [what: string, method: string, path: string, status: number, headers?: Record<string, string>];

/** One request for each part of a listener that can answer: routes, health checks, pages, the framework, the limits. */
const API_REQUESTS: Sent[] = [
  ['a route', 'GET', LIST_PATH, 401],
  ['another route', 'POST', TOKEN_PATH, 401],
  ['a health check', 'GET', '/healthz', 200],
  ['a readiness check', 'HEAD', '/readyz/', 200],
  ['a page', 'GET', '/docs/', 200],
  ['a document', 'GET', '/openapi.json', 200],
  ['an unknown path', 'GET', '/nothing', 404],
  ['a wrong method', 'DELETE', LIST_PATH, 405],
  ['a question about methods', 'OPTIONS', TOKEN_PATH, 204],
  ['an address that cannot be decoded', 'GET', '/%C0%AF', 400],
  ['an address that is too long', 'GET', `/${LONG}`, 414],
  ['headers that are too long', 'GET', '/healthz', 431, { a: LONG, b: LONG }],
  ['a body that is too large', 'POST', TOKEN_PATH, 413, { 'content-length': '99999999' }],
];

const CONSOLE_REQUESTS: Sent[] = [
  ['a route', 'GET', '/console/session', 401],
  ['a route with a parameter', 'GET', '/console/production/clients/1-0001', 401],
  ['a route from another site', 'POST', '/console/session', 403],
  ['a health check', 'GET', '/healthz', 200],
  ['a page', 'GET', '/', 503],
  ['an unknown path', 'GET', '/nothing', 404],
  ['an unknown console path', 'GET', '/console/nothing', 404],
  ['a wrong method', 'PUT', '/console/session', 405],
  ['an address that cannot be decoded', 'GET', '/console/%C0%AF', 400],
  ['an address that is too long', 'GET', `/console/${LONG}`, 414],
  ['an identifier that is too long', 'GET', `/console/production/clients/${LONG.slice(0, 1001)}`, 404],
  ['a body that is too large', 'POST', '/console/session', 413, { 'content-length': '99999999' }],
];

async function openListeners(): Promise<[name: string, address: string, log: string[], requests: Sent[]][]> {
  const api = await openTestApi();
  const testConsole = await openTestConsole();
  return [
    ['production', api.address.production, api.log, API_REQUESTS],
    ['sandbox', api.address.sandbox, api.log, API_REQUESTS],
    ['dashboard', testConsole.address, testConsole.log, CONSOLE_REQUESTS],
  ];
}

/** Without a library that would refuse to send some of these requests. */
function send(method: string, url: string, headers: Record<string, string>): Promise<IncomingMessage> {
  return new Promise((resolve, reject) => {
    const request = startRequest(url, { method, agent: false, headers }, (response) => {
      response.resume().once('end', () => resolve(response));
    });
    request.once('error', reject);
    request.end();
  });
}

function requestLines(log: readonly string[]): Record<string, unknown>[] {
  return log.map((line) => JSON.parse(line)).filter(({ msg }) => msg === 'request');
}

test('whatever answers a request, the answer carries its id and the common headers, and one line is logged', async () => {
  for (const [listener, address, log, requests] of await openListeners()) {
    for (const [index, [what, method, path, status, more]] of requests.entries()) {
      const requestId = `${listener}-${index}`;
      const about = `${what} on ${listener}`;
      const answer = await send(method, address + path, { 'x-request-id': requestId, ...more });
      expect(answer.statusCode, about).toBe(status);
      for (const name of COMMON_HEADERS) expect(answer.headersDistinct[name], `${name} of ${about}`).toHaveLength(1);
      expect(answer.headers['x-request-id'], about).toBe(requestId);
      const logged = () => requestLines(log).filter(({ request_id }) => request_id === requestId);
      await expect.poll(() => logged().length, { message: about }).toBeGreaterThan(0);
      expect(logged(), about).toEqual([
        expect.objectContaining({ listener, method, status, ms: expect.any(Number), msg: 'request' }),
      ]);
    }
  }
});

test('a file is logged once, when it has been written, and our own pages may frame it', async () => {
  const testConsole = await openTestConsole();
  const browser = await testConsole.owner();
  const { headers, status } = await browser.send('POST', EXPORT, new URLSearchParams(), { 'x-request-id': 'the-file' });
  expect(status).toBe(200);
  expect(headers.get('x-request-id')).toBe('the-file');
  expect(headers.get('x-frame-options')).toBe('SAMEORIGIN');
  expect(headers.get('content-security-policy')).toBe("default-src 'none'; frame-ancestors 'self'");
  const logged = () => requestLines(testConsole.log).filter(({ request_id }) => request_id === 'the-file');
  await expect.poll(() => logged().length).toBeGreaterThan(0);
  expect(logged()).toMatchObject([{ status: 200, route: '/console/:environment/clients.csv' }]);
});

test('a request that no route has seen is logged without a route, and others with the pattern of theirs', async () => {
  const testConsole = await openTestConsole();
  for (const path of ['/console/production/keys?y=z', `/console/${LONG}`, '/nothing', '/healthz/']) {
    await fetch(testConsole.address + path);
  }
  await expect.poll(() => requestLines(testConsole.log)).toHaveLength(4);
  expect(requestLines(testConsole.log).map(({ route }) => route)).toEqual([
    '/console/:environment/keys',
    null,
    null,
    '/healthz',
  ]);
});

function rulesWithQueue(now: () => number): RequestRules {
  return new RequestRules({
    logger: pino({ level: 'silent' }),
    requestLog: new RequestLog(undefined, 'test'),
    lifecycle: new Lifecycle(),
    backlog: new Backlog(),
    requestQueue: new RequestQueue({ now }),
    headers: [],
    trustedProxies: NetworkList.parse('127.0.0.1'),
  });
}

test('behind a proxy, whoever sends little does not wait for another that sends much, before it is known who they are', () => {
  let now = 0;
  const rules = rulesWithQueue(() => now);
  const answered: string[] = [];
  const sendFrom = (address: string) => {
    const socket = Object.defineProperty(new Socket(), 'remoteAddress', { value: '127.0.0.1' });
    const request = Object.assign(new IncomingMessage(socket), { method: 'GET', url: TOKEN_PATH });
    request.rawHeaders = ['X-Forwarded-For', address];
    rules.takeTurn(request, async () => void answered.push(address));
  };
  sendFrom('192.0.2.1');
  // What can be answered in this turn is answered, apart from the first request of each.
  now += 3;
  for (let each = 0; each < 20; each++) sendFrom('192.0.2.1');
  sendFrom('192.0.2.2');
  expect(answered).toEqual(['192.0.2.1', '192.0.2.1', '192.0.2.2']);
});

test('changes that wait for their turn are begun together, and not one after the other', async () => {
  let now = 0;
  const rules = rulesWithQueue(() => now);
  const request = Object.assign(new IncomingMessage(new Socket()), { method: 'POST', url: '/' });
  let begun = 0;
  const { promise: written, resolve } = Promise.withResolvers<void>();
  const change = () => {
    begun++;
    return written;
  };
  rules.takeTurn(request, change);
  // The time of this turn is over.
  now += 100;
  for (let each = 0; each < 20; each++) rules.takeTurn(request, change);
  expect(begun).toBe(1);
  for (let turns = 0; turns < 3; turns++) await turnOfTheLoop();
  expect(begun).toBe(21);
  resolve();
});
