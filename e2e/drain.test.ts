import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, readdirSync } from 'node:fs';
import { connect, type Socket } from 'node:net';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { expect, onTestFinished, test } from 'vitest';
import { exchange } from './api.ts';
import { Caller } from './callers.ts';
import { flood, manyRequests } from './flood.ts';
import { freeze, holderOf, workersOf } from './processes.ts';
import { BIN, NO_RATE_LIMITS, Program, type Serving } from './program.ts';
import { createTestAccount } from './test-account.ts';

async function serve(environment: Record<string, string>) {
  const program = new Program({ ...NO_RATE_LIMITS, ...environment });
  const { api_key } = (await createTestAccount(program, { clients: 1000 })).key;
  const service = await program.serve();
  const { data } = await exchange(service.production, api_key);
  const authorization = `Bearer ${data.access_token}`;
  const callers = (count: number) =>
    Array.from({ length: count }, (_, index) =>
      index % 4 === 3
        ? new Caller(`${service.dashboard}/healthz`)
        : new Caller(`${service.production}/api/v1/clients-list/`, { authorization }),
    );
  return { program, service, callers, token: data.access_token };
}

const statusOf = async (url: string) => (await fetch(url)).status;

test.each(['1', '2'])('with %s workers, a stop under load loses no request', async (workers) => {
  const { service, callers } = await serve({ ROLLCALL_WORKERS: workers, ROLLCALL_DRAIN_SECONDS: '300' });
  const busy = callers(16).map((caller) => caller.start());
  const idle = callers(4);
  for (const caller of idle) expect(await caller.call()).toMatchObject({ status: 200, isLast: false });
  await expect.poll(() => busy.every(({ answers }) => answers.length > 10)).toBe(true);

  service.process.kill('SIGTERM');
  for (const address of [service.production, service.sandbox, service.dashboard]) {
    await expect.poll(() => statusOf(`${address}/readyz`), { interval: 20 }).toBe(503);
    expect(await statusOf(`${address}/healthz`)).toBe(200);
  }
  // An idle connection, and one that is opened during the drain, are answered and then closed.
  for (const caller of [...idle.slice(0, 2), ...callers(4)]) {
    await expect.poll(() => caller.call(), { interval: 20 }).toEqual({ status: 200, isLast: true });
  }
  // The drain ends with a second signal and not by itself, because on a busy machine the above may take any time.
  await sleep(1100);
  expect(await service.stop('SIGTERM')).toBe(0);

  for (const caller of busy) {
    await caller.stop();
    expect(caller.lost).toEqual([]);
    expect(new Set(caller.answers.map(({ status }) => status))).toEqual(new Set([200]));
    expect(caller.answers.at(-1)).toMatchObject({ isLast: true });
  }
});

test('connections that wait while the process that accepts them is held up are not lost by a stop', async () => {
  const { service, callers } = await serve({ ROLLCALL_WORKERS: '2' });
  const primary = service.process.pid ?? 0;
  const late = callers(12);
  const stopped = service.stop();
  // It has told its workers to stop, which report after a short pause that they are ready.
  await sleep(100);
  freeze(primary);
  await sleep(400);
  const calls = Promise.all(late.map((caller) => caller.call()));
  await sleep(200);
  process.kill(primary, 'SIGCONT');
  for (const answer of await calls) expect(answer).toEqual({ status: 200, isLast: true });
  expect(await stopped).toBe(0);
});

test('a drain lasts as long as it is set to', async () => {
  const service = await new Program({ ROLLCALL_DRAIN_SECONDS: '2' }).serve();
  expect(await statusOf(`${service.production}/readyz`)).toBe(200);
  const signalledAt = performance.now();
  expect(await service.stop('SIGTERM')).toBe(0);
  expect(performance.now() - signalledAt).toBeGreaterThan(2000);
});

/** Requests many large pages over one connection, and reads nothing until the service has stopped listening. */
async function stopBeforeReading(
  { service, token }: Awaited<ReturnType<typeof serve>>,
  requests: number,
  before: (socket: Socket) => Promise<void> | void = () => {},
): Promise<string> {
  const { production } = service;
  const [socket] = flood(production, token, { connections: 1, requests });
  if (!socket) throw new Error('no connection');
  await expect.poll(() => service.log().match(/clients-list/g)?.length ?? 0).toBeGreaterThan(1);
  await before(socket);
  const stopped = service.stop();
  await expect.poll(() => statusOf(`${production}/healthz`).catch(() => 'nobody listens')).toBe('nobody listens');
  // Longer than the interval at which the service looks for idle connections.
  await sleep(600);
  const chunks: Buffer[] = [];
  socket.on('data', (chunk: Buffer) => chunks.push(chunk));
  socket.resume();
  await once(socket, 'close');
  expect(await stopped).toBe(0);
  return Buffer.concat(chunks).toString('latin1');
}

const countAnswers = (read: string) => read.match(/HTTP\/1.1 200 OK/g)?.length;

test.each(['1', '2'])(
  'with %s workers, a caller that reads slowly gets all responses to requests before the stop',
  async (workers) => {
    const serving = await serve({ ROLLCALL_WORKERS: workers });
    expect(countAnswers(await stopBeforeReading(serving, 60))).toBe(60);
  },
);

test('requests that have arrived before the stop and were not read yet are answered as well', async () => {
  const serving = await serve({});
  const { service, token } = serving;
  const read = await stopBeforeReading(serving, 20, async (socket) => {
    // They are read when the first twenty are answered, which do not fit into the buffers of the connection.
    socket.write(manyRequests(service.production, token, 150));
    await sleep(500);
  });
  expect(countAnswers(read)).toBe(170);
});

/** Begins a request whose body is still to come. */
async function beginRequest({ dashboard }: Serving) {
  const { hostname, port, host } = new URL(dashboard);
  const socket = connect(Number(port), hostname);
  onTestFinished(() => void socket.destroy());
  const body = JSON.stringify({ email: 'nobody@firm.example', password: 'anything' });
  const headers = [`Host: ${host}`, `Origin: ${dashboard}`, 'Content-Type: application/json'];
  headers.push(`Content-Length: ${body.length}`, 'Expect: 100-continue');
  socket.write(`POST /console/session HTTP/1.1\r\n${headers.join('\r\n')}\r\n\r\n`);
  expect(String(await once(socket, 'data'))).toMatch('HTTP/1.1 100 Continue');
  const complete = async () => {
    socket.write(body);
    return String(await once(socket, 'data', { signal: AbortSignal.timeout(60_000) }));
  };
  return { socket, complete };
}

test('a request that began before the stop is completed after it', async () => {
  const service = await new Program().serve();
  const { complete } = await beginRequest(service);
  const stopped = service.stop();
  await sleep(6000);
  const answer = await complete();
  expect(answer).toMatch(/^HTTP\/1.1 401 /);
  expect(answer).toMatch(/\r\nConnection: close\r\n/i);
  expect(await stopped).toBe(0);
});

test('a worker that was already stopping completes its requests when all of them stop', async () => {
  const service = await new Program({ ROLLCALL_WORKERS: '2' }).serve();
  const { socket, complete } = await beginRequest(service);
  const worker = holderOf(socket.localPort ?? 0, workersOf(service.process.pid ?? 0)) ?? 0;
  process.kill(worker, 'SIGTERM');
  await sleep(2000);
  const stopped = service.stop();
  // Longer than a worker may take until it is ready to close its listeners.
  await sleep(9000);
  expect(await complete()).toMatch(/^HTTP\/1.1 401 /);
  expect(await stopped).toBe(0);
});

test('a second signal ends the drain, and requests in flight are still answered', async () => {
  const service = await new Program({ ROLLCALL_DRAIN_SECONDS: '300' }).serve();
  const busy = Array.from({ length: 8 }, () => new Caller(`${service.production}/healthz`).start());
  service.process.kill('SIGTERM');
  await expect.poll(() => statusOf(`${service.production}/readyz`)).toBe(503);
  await sleep(1100);
  expect(await service.stop('SIGTERM')).toBe(0);
  for (const caller of busy) {
    await caller.stop();
    expect(caller.lost).toEqual([]);
  }
});

test('a connection without any request does not delay the stop for long', async () => {
  const service = await new Program().serve();
  const { hostname, port } = new URL(service.dashboard);
  const silent = connect(Number(port), hostname);
  silent.on('error', () => {});
  onTestFinished(() => void silent.destroy());
  await once(silent, 'connect');
  const signalledAt = performance.now();
  expect(await service.stop()).toBe(0);
  expect(performance.now() - signalledAt).toBeLessThan(20_000);
});

test('a signal that arrives before the service is up ends it without a drain', async () => {
  const program = new Program({ ROLLCALL_DRAIN_SECONDS: '300' });
  const { kill, exited } = program.start(['serve']);
  await expect.poll(() => existsSync(join(program.folder, 'data', 'rollcall.db')), { interval: 2 }).toBe(true);
  kill('SIGTERM');
  expect(await exited).toBe(0);
  // The secret is made after the database, so it may already be there.
  const files = readdirSync(join(program.folder, 'data')).filter((name) => name !== 'rollcall.secret');
  expect(files).toEqual(['rollcall.db']);
  for (const delayMs of [0, 50, 100]) {
    const { kill, exited } = program.start(['serve']);
    await sleep(delayMs);
    kill('SIGTERM');
    // The signal itself ends the process while there is nothing to close.
    expect([0, null]).toContain(await exited);
  }
});

/** `script` runs the program in a terminal and forwards the input. */
test.for(['1', '2'])('with %s workers, Ctrl-C on a terminal ends it without a drain', async (workers, { skip }) => {
  if (spawnSync('script', ['--version']).error) skip('script is not installed here');
  const program = new Program({ ROLLCALL_DRAIN_SECONDS: '300', ROLLCALL_WORKERS: workers });
  const terminal = spawn('script', ['-qefc', `exec ${process.execPath} ${BIN} serve`, '/dev/null'], {
    cwd: program.folder,
    env: program.environment,
    stdio: 'pipe',
  });
  onTestFinished(() => void terminal.kill('SIGKILL'));
  const exited = once(terminal, 'exit');
  let shown = '';
  terminal.stdout.on('data', (chunk) => {
    shown += chunk;
  });
  await expect.poll(() => shown).toContain('Rollcall is running.');
  terminal.stdin.write('\x03');
  expect((await exited)[0]).toBe(0);
});
