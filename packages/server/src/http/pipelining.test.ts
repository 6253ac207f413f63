import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { Readable } from 'node:stream';
import { text } from 'node:stream/consumers';
import { setTimeout as sleep } from 'node:timers/promises';
import type { FastifyReply } from 'fastify';
import { pino } from 'pino';
import { expect, onTestFinished, test } from 'vitest';
import { addSample } from '../domain/clients/sample-clients.ts';
import { aWorkspace, TESTER } from '../testing/builders.ts';
import { listenAnywhere } from '../testing/listen.ts';
import { LIST_PATH, openTestApi, type TestApi, type TestApiOptions, TOKEN_PATH } from '../testing/test-api.ts';
import { openTestConsole } from '../testing/test-console.ts';
import { Backlog } from './backlog.ts';
import { Lifecycle } from './lifecycle.ts';
import { RequestLog } from './request-log.ts';
import { newServer } from './server.ts';

/** An answer of a thousand clients has about 300 KB, so that more than ten of them do not fit into the buffers of a socket. */
const LARGE = `${LIST_PATH}?page_limit=1000`;

async function openFilled(options?: TestApiOptions) {
  const api = await openTestApi(undefined, options);
  const { workspaceId, secret } = await aWorkspace(api.store, api.clock, 'owner@firm.example');
  await addSample({ ...api.store, clock: api.clock }, TESTER, { workspaceId, clients: 1000, groups: 3, seed: 1 });
  return { ...api, accessToken: await api.token(secret), secret };
}

function open(address: string): Socket {
  const { hostname, port } = new URL(address);
  const socket = connect(Number(port), hostname);
  socket.on('error', () => {});
  onTestFinished(() => void socket.destroy());
  return socket;
}

const head = (method: string, path: string, ...headers: string[]) =>
  `${[`${method} ${path} HTTP/1.1`, 'Host: rollcall.example', ...headers].join('\r\n')}\r\n\r\n`;

const requestIds = (count: number) => Array.from({ length: count }, (_, index) => `request-${index}`);

const manyLarge = (token: string, count: number) =>
  requestIds(count)
    .map((id) => head('GET', LARGE, `Authorization: Bearer ${token}`, `X-Request-Id: ${id}`))
    .join('');

const answered = ({ log }: TestApi) => log.filter((line) => line.includes('"msg":"request"')).length;

/** Waits until no more answers are begun, and returns how many there were. */
async function whenStill(api: TestApi): Promise<number> {
  for (;;) {
    const before = answered(api);
    await sleep(400);
    if (before > 0 && before === answered(api)) return before;
  }
}

interface Read {
  status: number;
  requestId: string;
  body: string;
}

/** Splits the bytes of a connection into answers. `methods` tells which of them have no body. */
function cut(text: string, methods: readonly string[] = []): Read[] {
  const answers: Read[] = [];
  let rest = text;
  while (rest !== '') {
    const end = rest.indexOf('\r\n\r\n') + 4;
    const top = rest.slice(0, end);
    const status = Number(top.split(' ')[1]);
    const hasBody = status !== 304 && status !== 100 && methods[answers.length] !== 'HEAD';
    const length = hasBody ? Number(/content-length: (\d+)/i.exec(top)?.[1]) : 0;
    const body = rest.slice(end, end + length);
    if (end < 4 || body.length < length) throw new Error(`half an answer: ${rest.slice(0, 200)}`);
    if (status !== 100) answers.push({ status, requestId: /x-request-id: (\S+)/i.exec(top)?.[1] ?? '', body });
    rest = rest.slice(end + length);
  }
  return answers;
}

async function readAll(socket: Socket): Promise<string> {
  const chunks: Buffer[] = [];
  socket.on('data', (chunk: Buffer) => chunks.push(chunk));
  socket.resume();
  // Not `once`, which would fail when a caller writes to a connection that the service has closed.
  await new Promise((resolve) => socket.once('close', resolve));
  return Buffer.concat(chunks).toString('latin1');
}

test('a caller that pipelines and does not read gets one answer at a time, and all of them in order once it reads', async () => {
  const api = await openFilled();
  const socket = open(api.address.production);
  socket.pause();
  socket.write(manyLarge(api.accessToken, 150));
  expect(await whenStill(api)).toBeLessThan(75);
  expect((await api.get(LARGE, { authorization: `Bearer ${api.accessToken}` })).status).toBe(200);

  socket.end();
  const answers = cut(await readAll(socket));
  expect(answers.map(({ requestId }) => requestId)).toEqual(requestIds(150));
  for (const { status, body } of answers) {
    expect(status).toBe(200);
    expect(body).toBe(answers[0]?.body);
  }
});

test('when a caller leaves, its waiting requests are dropped', async () => {
  const api = await openFilled();
  const socket = open(api.address.production);
  socket.pause();
  socket.write(manyLarge(api.accessToken, 150));
  const begun = await whenStill(api);
  socket.destroy();
  await sleep(200);
  expect(answered(api)).toBeLessThan(begun + 5);
});

test('a caller that reads nothing for as long as the timeout is cut off, and one that reads slowly is not', async () => {
  const timeoutMs = 2500;
  const api = await openFilled({ writeTimeoutMs: timeoutMs });
  const [stalled, slow] = [open(api.address.production), open(api.address.production)];
  stalled.pause();
  for (const socket of [stalled, slow]) socket.write(manyLarge(api.accessToken, 40));

  const chunks: Buffer[] = [];
  const bytes = () => chunks.reduce((sum, { length }) => sum + length, 0);
  const expected = 40 * (await api.get(LARGE, { authorization: `Bearer ${api.accessToken}` })).text.length;
  const startedAt = performance.now();
  slow.on('data', (chunk: Buffer) => {
    chunks.push(chunk);
    slow.pause();
    // Reading takes three timeouts in all, however large the chunks are.
    const due = startedAt + 3 * timeoutMs * (bytes() / expected);
    setTimeout(() => slow.resume(), Math.max(0, due - performance.now()));
  });
  slow.end();
  await once(slow, 'close');
  expect(performance.now() - startedAt).toBeGreaterThan(2 * timeoutMs);
  expect(cut(Buffer.concat(chunks).toString('latin1'))).toHaveLength(40);

  await expect(readAll(stalled).then(cut)).rejects.toThrow('half an answer');
});

test('a file is no longer produced when its caller stops reading', async () => {
  const app = newServer({
    logger: pino({ level: 'silent' }),
    requestLog: new RequestLog(undefined, 'test'),
    lifecycle: new Lifecycle(),
    backlog: new Backlog(),
    headers: [],
    writeTimeoutMs: 500,
  });
  const endless = new Readable({
    read() {
      this.push('x'.repeat(64 * 1024));
    },
  });
  app.get('/endless', (_request, reply) => reply.send(endless));
  const socket = open(await listenAnywhere(app));
  socket.pause();
  socket.write(head('GET', '/endless'));
  await once(endless, 'close');
});

test('when too many answers are waiting to be read, those who do not read are cut off, and all others are answered', async () => {
  const api = await openFilled({ limits: { unsentBytes: 4 * 1024 * 1024 } });
  const authorization = `Bearer ${api.accessToken}`;
  const stalled = Array.from({ length: 30 }, () => open(api.address.production));
  for (const socket of stalled) {
    socket.pause();
    socket.write(manyLarge(api.accessToken, 40));
  }
  await whenStill(api);
  for (let each = 0; each < 20; each++) {
    expect((await api.get(LIST_PATH, { authorization })).status).toBe(200);
    expect((await api.get('/readyz')).status).toBe(200);
  }
  for (const socket of stalled) socket.resume();
  await expect.poll(() => stalled.some((socket) => socket.destroyed)).toBe(true);
});

test('callers of the documentation that do not read its script keep nobody else from being answered', async () => {
  const api = await openFilled({ limits: { unsentBytes: 4 * 1024 * 1024 } });
  const script = await api.get('/docs/js/scalar.js', { 'accept-encoding': 'identity' });
  expect(script.text.length).toBeGreaterThan(1024 * 1024);
  expect(script.headers.get('content-length')).toBe(String(Buffer.byteLength(script.text)));
  for (let caller = 0; caller < 10; caller++) {
    const stalled = open(api.address.production);
    stalled.pause();
    stalled.write(head('GET', '/docs/js/scalar.js'));
  }
  await sleep(500);
  expect((await api.get(LIST_PATH, { authorization: `Bearer ${api.accessToken}` })).status).toBe(200);
});

test.each([
  ['a route that is refused', LIST_PATH, 401],
  ['an unknown path', '/nothing', 404],
])('the connection of a body that nobody reads is closed: %s', async (_what, path, status) => {
  const api = await openFilled();
  const endless = open(api.address.production);
  endless.write(`${head('GET', path, 'Transfer-Encoding: chunked')}1\r\na\r\n`);
  const [answer] = cut(await readAll(endless));
  expect(answer?.status).toBe(status);
  const small = open(api.address.production);
  small.write(`${head('GET', path, 'Content-Length: 3')}abc${head('GET', '/healthz', 'Connection: close')}`);
  expect(cut(await readAll(small)).map((each) => each.status)).toEqual([status, 200]);
});

test('a caller with more waiting requests than the process accepts is cut off, and others are not', async () => {
  const api = await openFilled({ limits: { heldRequests: 10 } });
  const greedy = open(api.address.production);
  greedy.write(manyLarge(api.accessToken, 30));
  await once(greedy, 'close');
  const modest = open(api.address.production);
  modest.write(manyLarge(api.accessToken, 8));
  modest.end();
  expect(cut(await readAll(modest))).toHaveLength(8);
});

test('all kinds of pipelined requests are answered once and in order', async () => {
  const api = await openFilled();
  const authorization = `Authorization: Bearer ${api.accessToken}`;
  const first = await api.get(LIST_PATH, { authorization: `Bearer ${api.accessToken}` });
  const requests: [method: string, path: string, status: number, headers: string[], body?: string][] = [
    ['GET', LARGE, 200, [authorization]],
    ['HEAD', LARGE, 200, [authorization]],
    ['GET', LIST_PATH, 304, [authorization, `If-None-Match: ${first.headers.get('etag')}`]],
    ['GET', '/nothing/here', 404, []],
    ['GET', '/healthz', 200, []],
    ['POST', TOKEN_PATH, 200, [`api-key: ${api.secret}`, 'Content-Length: 5'], 'hello'],
    ['POST', TOKEN_PATH, 200, [`api-key: ${api.secret}`, 'Expect: 100-continue', 'Content-Length: 2'], 'hi'],
    ['GET', LIST_PATH, 417, ['Expect: a-miracle']],
    ['GET', `${LIST_PATH}?page_no=0`, 400, [authorization]],
    ['DELETE', LIST_PATH, 405, []],
    ['GET', '/docs', 200, []],
    ['GET', LIST_PATH, 401, []],
    ['GET', `${LIST_PATH}?page_no=2`, 200, [authorization]],
  ];
  const socket = open(api.address.production);
  for (const [index, [method, path, , headers, body = '']] of requests.entries()) {
    socket.write(head(method, path, `X-Request-Id: n-${index}`, ...headers) + body);
  }
  socket.end();
  const answers = cut(
    await readAll(socket),
    requests.map(([method]) => method),
  );
  expect(answers.map(({ status }) => status)).toEqual(requests.map(([, , status]) => status));
  // A request that is refused for its expectation gets another identifier.
  for (const [index, { requestId, status }] of answers.entries())
    if (status !== 417) expect(requestId).toBe(`n-${index}`);
});

/** A server that answers when `answer` has resolved, and a caller of whom it has read the first two of three requests. */
async function openWithUnread(answer: (path: string, reply: FastifyReply) => Promise<void> | void) {
  const lifecycle = new Lifecycle();
  const requestLog = new RequestLog(undefined, 'test');
  const app = newServer({
    logger: pino({ level: 'silent' }),
    requestLog,
    lifecycle,
    backlog: new Backlog(),
    headers: [],
  });
  const begun: string[] = [];
  app.get('/:name', async (request, reply) => {
    begun.push(request.url);
    await answer(request.url, reply);
    return request.url;
  });
  const socket = open(await listenAnywhere(app));
  const read = readAll(socket);
  socket.write(head('GET', '/first') + head('GET', '/second'));
  await expect.poll(() => begun).toContain('/first');
  socket.write(head('GET', '/third'));
  // It has arrived, and is not read before the others are answered.
  await sleep(100);
  return { lifecycle, begun, socket, read };
}

const pathsIn = (read: string) => cut(read).map(({ body }) => body);

test('a connection is not idle while requests on it have arrived and are not read yet', async () => {
  const { promise, resolve } = Promise.withResolvers<void>();
  const { socket, read } = await openWithUnread((_path, reply) => {
    reply.raw.once('close', () => reply.server.server.closeIdleConnections());
    return promise;
  });
  resolve();
  await sleep(200);
  socket.end();
  expect(pathsIn(await read)).toEqual(['/first', '/second', '/third']);
});

test.each([
  ['the request before is being answered', '/second'],
  ['several requests wait', '/first'],
])('requests that are not read yet when a stop begins are answered: %s', async (_when, answered) => {
  const { promise, resolve } = Promise.withResolvers<void>();
  const { lifecycle, begun, read } = await openWithUnread((path) => (path === answered ? promise : undefined));
  await expect.poll(() => begun).toContain(answered);
  lifecycle.stopping = true;
  resolve();
  const answers = await read;
  expect(pathsIn(answers)).toEqual(['/first', '/second', '/third']);
  expect(answers.match(/connection: close/gi)).toHaveLength(1);
});

test('a caller that has sent everything and closed its end is answered while the service stops', async () => {
  const { promise, resolve } = Promise.withResolvers<void>();
  const { lifecycle, socket, read } = await openWithUnread(() => promise);
  socket.end(head('GET', '/fourth'));
  await sleep(100);
  lifecycle.stopping = true;
  resolve();
  expect(pathsIn(await read)).toEqual(['/first', '/second', '/third', '/fourth']);
});

test('a caller that always has requests under way is asked to leave by a stop', async () => {
  const { promise, resolve } = Promise.withResolvers<void>();
  const { lifecycle, begun, socket, read } = await openWithUnread(() => promise.then(() => sleep(5)));
  socket.on('data', (chunk: Buffer) => {
    for (const _ of String(chunk).match(/HTTP\/1.1 200/g) ?? []) socket.write(head('GET', '/another'));
  });
  resolve();
  await expect.poll(() => begun.length).toBeGreaterThan(10);
  lifecycle.stopping = true;
  const answers = await read;
  expect(pathsIn(answers).slice(0, 3)).toEqual(['/first', '/second', '/third']);
  expect(answers.match(/connection: close/gi)).toHaveLength(1);
});

test.each([
  ['what is not HTTP', 'nonsense\r\n\r\n', 400],
  ['a request to be a proxy', head('CONNECT', 'elsewhere.example:443'), 405],
  ['a request to be a proxy with a body', head('CONNECT', 'elsewhere.example:443', 'Content-Length: 9'), 405],
])('%s is refused after the requests before it are answered', async (_what, last, status) => {
  const api = await openFilled();
  const socket = open(api.address.production);
  socket.write(manyLarge(api.accessToken, 3) + last);
  // More of it must not disturb the answers that are being written.
  setImmediate(() => socket.write('more nonsense\r\n\r\n'));
  const answers = cut(await readAll(socket));
  expect(answers.map((answer) => answer.status)).toEqual([200, 200, 200, status]);
});

test.each([
  ['behind a request that closes the connection', [head('GET', '/healthz', 'Connection: close')]],
  ['behind a request of HTTP/1.0', ['GET /healthz HTTP/1.0\r\n\r\n']],
])('a request to be a proxy %s harms nobody', async (_where, before) => {
  const { address } = await openTestApi();
  for (let time = 0; time < 20; time++) {
    const socket = open(address.production);
    socket.write([...before, head('CONNECT', 'elsewhere.example:443')].join(''));
    expect(cut(await readAll(socket)).map(({ status }) => status)).toEqual([200]);
  }
  expect((await fetch(`${address.production}/healthz`)).status).toBe(200);
});

test('a caller who asks for a proxy and breaks off the connection harms nobody', async () => {
  const { address } = await openTestApi();
  for (let time = 0; time < 20; time++) {
    const socket = open(address.production);
    socket.write(
      head('GET', '/healthz').repeat(time % 3) + head('CONNECT', 'elsewhere.example:443', 'Content-Length: 9'),
    );
    if (time % 2) await once(socket, 'readable');
    socket.resetAndDestroy();
    await once(socket, 'close');
  }
  expect((await fetch(`${address.production}/healthz`)).status).toBe(200);
});

test('a body that arrives late, behind other requests, is waited for', async () => {
  const testConsole = await openTestConsole();
  const socket = open(testConsole.address);
  const chunks: Buffer[] = [];
  socket.on('data', (chunk: Buffer) => chunks.push(chunk));
  const body = JSON.stringify({ email: 'nobody@firm.example', password: 'anything' }) + ' '.repeat(200_000);
  const form = ['Content-Type: application/json', `Content-Length: ${body.length}`, `Origin: ${testConsole.address}`];
  const post = `POST /console/session HTTP/1.1\r\nHost: ${new URL(testConsole.address).host}\r\n${form.join('\r\n')}\r\n\r\n`;
  socket.write(head('GET', '/healthz').repeat(3) + post + body.slice(0, 100));
  await expect.poll(() => String(Buffer.concat(chunks)).match(/HTTP\/1.1 200/g)).toHaveLength(3);
  socket.write(body.slice(100) + head('GET', '/healthz'));
  await expect.poll(() => String(Buffer.concat(chunks)).match(/HTTP\/1.1 \d+/g)).toHaveLength(5);
  const statuses = cut(Buffer.concat(chunks).toString('latin1')).map((answer) => answer.status);
  expect(statuses).toEqual([200, 200, 200, 401, 200]);
});

test('a pipelined request whose body is cut off is refused at once, after those before it', async () => {
  const { address, accessToken } = await openFilled();
  const { hostname, port } = new URL(address.production);
  const socket = connect({ port: Number(port), host: hostname, allowHalfOpen: true });
  onTestFinished(() => void socket.destroy());
  const body = '{}';
  const post = (length: number, ...headers: string[]) =>
    head('POST', '/api/v1/clients/', `Authorization: Bearer ${accessToken}`, `Content-Length: ${length}`, ...headers);
  socket.end(`${post(2)}${body}${post(2, 'Expect: 100-continue')}${body}${post(9)}${body}`);
  const answers = await text(socket);
  expect(answers.match(/HTTP\/1\.1 \d+/g)).toEqual(['HTTP/1.1 403', 'HTTP/1.1 100', 'HTTP/1.1 403', 'HTTP/1.1 400']);
});
