import { readdirSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { aWorkspace } from '../testing/builders.ts';
import { rawRequest } from '../testing/raw-request.ts';
import { LIST_PATH, openTestApi, send, TOKEN_PATH } from '../testing/test-api.ts';
import { temporaryFolder } from '../testing/test-store.ts';
import { openOnce } from '../testing/when-finished.ts';

const LIST_ALLOW = 'GET, HEAD, OPTIONS';
const TOKEN_ALLOW = 'GET, HEAD, OPTIONS, POST';

const sharedApi = openOnce(openTestApi);

describe('every error is in the envelope', () => {
  test.each([
    ['GET', '/', 404, 'Not found. The API reference is at /docs.', null],
    ['GET', '/nothing/here', 404, 'Not found', null],
    ['POST', '/api/v2/clients-list/', 404, 'Not found', null],
    ['OPTIONS', '/nothing', 404, 'Not found', null],
    ['GET', '/api/v1/clients-list/%', 400, 'Bad request', null],
    ['GET', '/%C0%AF', 400, 'Bad request', null],
    ['POST', LIST_PATH, 405, 'Method not allowed', LIST_ALLOW],
    ['DELETE', LIST_PATH, 405, 'Method not allowed', LIST_ALLOW],
    ['DELETE', LIST_PATH.slice(0, -1), 405, 'Method not allowed', LIST_ALLOW],
    ['PUT', TOKEN_PATH, 405, 'Method not allowed', TOKEN_ALLOW],
    ['PATCH', `${TOKEN_PATH}?x=y`, 405, 'Method not allowed', TOKEN_ALLOW],
    ['QUERY', LIST_PATH, 405, 'Method not allowed', LIST_ALLOW],
    ['PROPFIND', TOKEN_PATH, 405, 'Method not allowed', TOKEN_ALLOW],
    ['POST', '/healthz', 405, 'Method not allowed', LIST_ALLOW],
  ])('%s %s is %d', async (method, path, status, message, allow) => {
    const api = await sharedApi();
    const answer = await send(api.address.production + path, { method });
    expect(answer.status).toBe(status);
    expect(answer.body).toEqual({ status_code: status, message: expect.stringContaining(message), data: null });
    expect(answer.headers.get('content-type')).toBe('application/json; charset=utf-8');
    expect(answer.headers.get('allow')).toBe(allow);
    expect(answer.headers.get('x-request-id')).toBeTruthy();
  });

  test.each([
    [`http://anywhere.example${LIST_PATH}`, 401],
    ['HTTPS://anywhere.example/healthz', 200],
    ['/api/v1/clients%2Dlist/', 401],
    ['/api/v1/clients%2dlist?page_no=1', 401],
  ])('%s is an address like any other', async (target, status) => {
    const api = await sharedApi();
    const answer = await rawRequest(
      api.address.production,
      `GET ${target} HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n`,
    );
    expect(answer.status).toBe(status);
  });

  test.each([
    [LIST_PATH, LIST_ALLOW],
    [TOKEN_PATH, TOKEN_ALLOW],
    [TOKEN_PATH.slice(0, -1), TOKEN_ALLOW],
  ])('OPTIONS %s says what it accepts', async (path, allow) => {
    const api = await sharedApi();
    const answer = await send(api.address.sandbox + path, { method: 'OPTIONS' });
    expect(answer).toMatchObject({ status: 204, text: '' });
    expect(answer.headers.get('allow')).toBe(allow);
  });

  const GET = `GET ${TOKEN_PATH} HTTP/1.1\r\nHost: x\r\n`;
  test.each<[string, string, number, string]>([
    ['no HTTP at all', 'garbage\r\n\r\n', 400, 'Bad request'],
    ['binary garbage', '\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03\r\n\r\n', 400, 'Bad request'],
    ['an unknown version', 'GET / HTTP/9.9\r\nHost: x\r\n\r\n', 400, 'Bad request'],
    ['an unknown method', `BREW ${TOKEN_PATH} HTTP/1.1\r\nHost: x\r\n\r\n`, 400, 'Bad request'],
    ['no Host', `GET ${TOKEN_PATH} HTTP/1.1\r\n\r\n`, 400, 'Bad request: the Host header is missing'],
    ['two Hosts', `${GET}HOST: y\r\n\r\n`, 400, 'Bad request: there is more than one Host header'],
    ['the same Host twice', `${GET}Host: x\r\n\r\n`, 400, 'Bad request: there is more than one Host header'],
    [
      'both length headers',
      `POST ${TOKEN_PATH} HTTP/1.1\r\nHost: x\r\nContent-Length: 3\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n`,
      400,
      'Bad request',
    ],
    [
      'two lengths',
      `POST ${TOKEN_PATH} HTTP/1.1\r\nHost: x\r\nContent-Length: 3\r\nContent-Length: 4\r\n\r\nabcd`,
      400,
      'Bad request',
    ],
    ['a bare line feed', `${GET}a: b\nc: d\r\n\r\n`, 400, 'Bad request'],
    ['a folded header', `${GET}a: b\r\n folded\r\n\r\n`, 400, 'Bad request'],
    ['a space before the colon', `${GET}a : b\r\n\r\n`, 400, 'Bad request'],
    ['NUL in a header', `${GET}a: b\0c\r\n\r\n`, 400, 'Bad request'],
    ['a header of 17 KB', `${GET}a: ${'b'.repeat(17_000)}\r\n\r\n`, 431, 'Headers too long'],
    [
      'headers of 200 KB',
      `${GET}${`a: ${'b'.repeat(10_000)}\r\n`.repeat(20)}\r\n`,
      431,
      'Request header fields too large',
    ],
    [
      'an address of 20 KB',
      `GET ${LIST_PATH}?client_email=${'a'.repeat(20_000)} HTTP/1.1\r\nHost: x\r\n\r\n`,
      414,
      'Address too long',
    ],
    [
      'a filter of 60 KB',
      `GET ${LIST_PATH}?group_name=${'a'.repeat(60_000)} HTTP/1.1\r\nHost: x\r\n\r\n`,
      414,
      'Address too long',
    ],
    [
      'a body said to be huge',
      `POST ${TOKEN_PATH} HTTP/1.1\r\nHost: x\r\nContent-Length: 99999999\r\n\r\n`,
      413,
      'Request body too large',
    ],
    ['an expectation', `${GET}Expect: tea\r\n\r\n`, 417, 'Expectation failed'],
    ['a proxy request', 'CONNECT example.org:443 HTTP/1.1\r\nHost: x\r\n\r\n', 405, 'Method not allowed'],
    ['an upgrade', `${GET}Connection: Upgrade\r\nUpgrade: websocket\r\n\r\n`, 401, 'Invalid API key'],
    ['headers named like prototypes', `${GET}__proto__: x\r\nconstructor: y\r\n\r\n`, 401, 'Invalid API key'],
  ])('%s is answered', async (_what, request, status, message) => {
    const api = await sharedApi();
    const answer = await rawRequest(api.address.production, Buffer.from(request, 'latin1'));
    expect(answer.status).toBe(status);
    expect(JSON.parse(answer.body)).toEqual({
      status_code: status,
      message: expect.stringContaining(message),
      data: null,
    });
    expect(answer.head.toLowerCase()).toContain('content-type: application/json; charset=utf-8');
    expect(answer.head.toLowerCase()).toContain('x-request-id: ');
  });

  test('storage that fails is 503 with Retry-After, and the process stays alive', async () => {
    const folder = temporaryFolder();
    const api = await openTestApi(folder);
    const { secret } = await aWorkspace(api.store, api.clock, 'a@firm.example');
    const token = await api.token(secret);
    for (const name of readdirSync(folder).filter((each) => !each.endsWith('-shm'))) overwrite(join(folder, name));

    const answer = await api.get(LIST_PATH, { authorization: `Bearer ${token}` });
    expect(answer.status).toBe(503);
    expect(answer.body.message).toMatch(/^Service temporarily unavailable/);
    expect(answer.headers.get('retry-after')).toBe('1');
    expect(await api.get('/healthz')).toMatchObject({ status: 200 });
  });
});

describe('the request id', () => {
  test.each([
    ['abc-123', true],
    ['0190a:b/c+d=@x', true],
    ['a'.repeat(129), false],
    ['with space', false],
    ['{"x":1}', false],
  ])('%j is kept: %s', async (sent, kept) => {
    const api = await sharedApi();
    const answer = await api.get('/healthz', { 'x-request-id': sent });
    expect(answer.headers.get('x-request-id') === sent).toBe(kept);
  });
});

/** Does what a failing disk does to a file while the service has it open. */
function overwrite(file: string): void {
  writeFileSync(file, Buffer.alloc(statSync(file).size, 0xff), { flag: 'r+' });
}

test.each([
  ['Bearer', 'The API key was probably refused when you exchanged it'],
  [
    'Bearer {"status_code":401,"message":"Invalid API key: it has been revoked.","data":null}',
    'The API key was probably refused',
  ],
  ['Basic YWRhOmFkYQ==', 'send `Authorization: Bearer <access token>`'],
])('whoever sends “%s” instead of a token is told what to do', async (authorization, message) => {
  const api = await sharedApi();
  const { status, body } = await api.get(LIST_PATH, { authorization });
  expect([status, body.message]).toEqual([401, expect.stringContaining(message)]);
});
