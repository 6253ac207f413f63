import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { expect, onTestFinished, test } from 'vitest';
import { exchange, list } from '../e2e/api.ts';
import { memoryOf } from '../e2e/flood.ts';
import { NO_RATE_LIMITS, Program } from '../e2e/program.ts';
import { createTestAccount } from '../e2e/test-account.ts';

const CONNECTIONS = 10_000;
/** Connections are opened from so many addresses, as those of different callers are. */
const ADDRESSES = 20;
const AT_ONCE = 200;
/** As in `http/node-server.ts`. A connection that sends nothing at all counts as one whose headers do not arrive. */
const HEADERS_TIMEOUT_MS = 30_000;
const IDLE_TIMEOUT_MS = 72_000;
const BYTES_PER_CONNECTION_MAX = 16 * 1024;

interface IdleConnection {
  socket: Socket;
  openedAt: number;
  /** How long it was open, once the service has closed it. */
  closed: Promise<number>;
}

async function openIdle(port: number, index: number, request: string): Promise<IdleConnection> {
  const socket = connect({ port, host: '127.0.0.1', localAddress: `127.0.0.${2 + (index % ADDRESSES)}` });
  onTestFinished(() => void socket.destroy());
  socket.on('error', () => {});
  await once(socket, 'connect');
  if (request !== '') {
    socket.write(request);
    await once(socket, 'data');
  }
  socket.resume();
  const openedAt = performance.now();
  const closed = new Promise<number>((resolve) => socket.once('close', () => resolve(performance.now() - openedAt)));
  return { socket, openedAt, closed };
}

/** Half of them have asked once and keep their connection; the other half have never sent a byte. */
async function openAll(port: number): Promise<IdleConnection[]> {
  const opened: IdleConnection[] = [];
  for (let first = 0; first < CONNECTIONS; first += AT_ONCE) {
    const indexes = Array.from({ length: AT_ONCE }, (_, offset) => first + offset);
    const request = (index: number) => (index % 2 === 0 ? 'GET /healthz HTTP/1.1\r\nHost: x\r\n\r\n' : '');
    opened.push(...(await Promise.all(indexes.map((index) => openIdle(port, index, request(index))))));
  }
  return opened;
}

async function medianMs(address: string, token: string): Promise<number> {
  const waits: number[] = [];
  for (let each = 0; each < 101; each++) {
    const startedAt = performance.now();
    expect((await list(address, token)).status).toBe(200);
    waits.push(performance.now() - startedAt);
  }
  return waits.sort((a, b) => a - b)[50] ?? 0;
}

test('ten thousand idle connections take little memory, others are answered, and all are closed in time', async () => {
  const program = new Program(NO_RATE_LIMITS);
  const { key } = await createTestAccount(program, { clients: 1000 });
  const service = await program.serve(['--only', 'production']);
  const pid = service.process.pid ?? 0;
  const token = (await exchange(service.production, key.api_key)).data.access_token;
  const before = { mb: memoryOf(pid), medianMs: await medianMs(service.production, token) };

  const connections = await openAll(Number(new URL(service.production).port));
  const during = { mb: memoryOf(pid), medianMs: await medianMs(service.production, token) };
  const open = connections.filter(({ socket }) => !socket.destroyed).length;
  const seconds = (await Promise.all(connections.map(({ closed }) => closed))).map((ms) => ms / 1000);
  const after = { mb: memoryOf(pid), medianMs: await medianMs(service.production, token) };
  const longest = { asked: 0, silent: 0 };
  for (const [index, each] of seconds.entries()) {
    const kind = index % 2 === 0 ? 'asked' : 'silent';
    longest[kind] = Math.max(longest[kind], each);
  }
  process.stdout.write(`${JSON.stringify({ open, before, during, after, longest })}\n`);

  expect(during.mb - before.mb).toBeLessThan((CONNECTIONS * BYTES_PER_CONNECTION_MAX) / 2 ** 20);
  expect(longest.silent * 1000).toBeLessThan(HEADERS_TIMEOUT_MS + 30_000);
  expect(longest.asked * 1000).toBeLessThan(IDLE_TIMEOUT_MS + 30_000);
  expect(await service.stop()).toBe(0);
});
