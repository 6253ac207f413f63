import { connect } from 'node:net';
import { expect, onTestFinished, test } from 'vitest';
import { rawRequest } from '../testing/raw-request.ts';
import { openTestConsole } from '../testing/test-console.ts';
import { openOnce } from '../testing/when-finished.ts';

const MEGABYTE = 1024 * 1024;

async function post(address: string, path: string, headers: string[], body: string) {
  const { host } = new URL(address);
  const head = [`POST ${path} HTTP/1.1`, `Host: ${host}`, `Origin: http://${host}`, ...headers];
  const { status, head: answerHead, body: answer } = await rawRequest(address, `${head.join('\r\n')}\r\n\r\n${body}`);
  return { status, message: JSON.parse(answer).message, closes: /connection: close/i.test(answerHead) };
}

const SIGN_IN = JSON.stringify({ email: 'a@firm.example', password: 'anything' });
const JSON_TYPE = 'Content-Type: application/json';
const lengthOf = (body: string) => `Content-Length: ${Buffer.byteLength(body)}`;

const sharedConsole = openOnce(openTestConsole);

test.each<[string, string[], string, number, boolean]>([
  ['JSON', [JSON_TYPE], SIGN_IN, 401, false],
  ['JSON with a parameter in its type', ['Content-Type: Application/JSON; charset=utf-8'], SIGN_IN, 401, false],
  ['JSON with a byte order mark', [JSON_TYPE], `\uFEFF${SIGN_IN}`, 401, false],
  ['JSON that is cut off', [JSON_TYPE], SIGN_IN.slice(0, -1), 400, true],
  ['JSON that is empty', [JSON_TYPE], '', 400, true],
  ['JSON with an escaped prototype', [JSON_TYPE], '{"\\u005f_proto__":{}}', 400, true],
  ['text', ['Content-Type: text/plain'], SIGN_IN, 400, false],
  ['a form', ['Content-Type: application/x-www-form-urlencoded'], 'email=a', 400, false],
  ['XML', ['Content-Type: application/xml'], '<a/>', 415, false],
  ['a type that is none', ['Content-Type: ?'], SIGN_IN, 415, false],
  ['a body without a type', [], SIGN_IN, 415, false],
])('a sign-in sent as %s', async (_what, headers, body, status, closes) => {
  const { address } = await sharedConsole();
  expect(await post(address, '/console/session', [...headers, lengthOf(body)], body)).toMatchObject({ status, closes });
});

test('a body that turns out to be too large is refused, and its connection ends', async () => {
  const { address } = await openTestConsole();
  const body = `${(MEGABYTE + 1).toString(16)}\r\n${'x'.repeat(MEGABYTE + 1)}\r\n0\r\n\r\n`;
  const answer = await post(address, '/console/session', [JSON_TYPE, 'Transfer-Encoding: chunked'], body);
  expect(answer).toEqual({ status: 413, message: expect.stringMatching(/^Request body too large/), closes: true });
});

test('the origin is checked first, then the caller, and only then the body is read', async () => {
  const { address } = await openTestConsole();
  const path = '/console/production/keys';
  expect((await post(address, path, ['Origin: https://evil.example', JSON_TYPE, lengthOf('{')], '{')).status).toBe(403);
  expect((await post(address, path, [JSON_TYPE, lengthOf('{')], '{')).status).toBe(401);
  expect((await post(address, '/console/session', [JSON_TYPE, lengthOf('{')], '{')).status).toBe(400);
});

test('a body that comes in very many pieces is refused, because each of them takes time and memory', async () => {
  const { address } = await openTestConsole();
  const chunked = [JSON_TYPE, 'Transfer-Encoding: chunked'];
  const answer = await post(address, '/console/session', chunked, '1\r\na\r\n'.repeat(20_000));
  expect(answer).toMatchObject({ status: 413, closes: true });
});

test('bodies that are still arriving take a bounded amount of memory in all', async () => {
  const testConsole = await openTestConsole({ limits: { bodyBytes: 20_000 } });
  const { hostname, port, host } = new URL(testConsole.address);
  const slow = connect(Number(port), hostname);
  onTestFinished(() => void slow.destroy());
  const head = ['POST /console/session HTTP/1.1', `Host: ${host}`, `Origin: http://${host}`, JSON_TYPE];
  slow.write(`${[...head, 'Content-Length: 20000'].join('\r\n')}\r\n\r\n${' '.repeat(15_000)}`);
  const another = async () => {
    const body = SIGN_IN.padEnd(10_000);
    return post(testConsole.address, '/console/session', [JSON_TYPE, lengthOf(body)], body);
  };
  await expect.poll(another).toMatchObject({ status: 503, closes: true });
  slow.destroy();
  await expect.poll(async () => (await another()).status).toBe(401);
});

test('a request whose caller leaves before its body has arrived is logged as aborted', async () => {
  const testConsole = await openTestConsole();
  const { hostname, port, host } = new URL(testConsole.address);
  const socket = connect(Number(port), hostname);
  const head = ['POST /console/session HTTP/1.1', `Host: ${host}`, `Origin: http://${host}`, JSON_TYPE];
  socket.write(`${[...head, 'Content-Length: 100'].join('\r\n')}\r\n\r\n{`, () => socket.destroy());
  await expect.poll(() => testConsole.log.filter((line) => line.includes('"aborted":true'))).toHaveLength(1);
});
