import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest';
import { PostgresServer } from '../packages/server/src/testing/postgres-server.ts';
import { exchange } from './api.ts';
import { openNodes, timed } from './nodes.ts';
import { childrenOf, freeze } from './processes.ts';
import { NO_RATE_LIMITS, Program, type Serving } from './program.ts';
import { createTestAccount } from './test-account.ts';

let server: PostgresServer;

beforeAll(async () => {
  server = await PostgresServer.start(['fsync=off']);
});

afterAll(() => server.stop());

const RATE = 20;
const BURST = 20;
const LIMITS = { ...NO_RATE_LIMITS, ROLLCALL_RATE_LIMIT_API: `${RATE}/s,${BURST}` };

const LIST = '/api/v1/clients-list/';

interface Load {
  seconds: number;
  /** How many callers call at the same time, each over connections of its own. */
  callers: number;
  /** How long each of them waits between two calls. */
  pauseMs: number;
}

/** Calls the addresses in turn, with one key, and returns what was answered and how long it took in all. */
async function callFor(addresses: readonly string[], token: string, { seconds, callers, pauseMs }: Load) {
  const statuses: number[] = [];
  const startedAt = performance.now();
  const isOver = () => performance.now() - startedAt > seconds * 1000;
  const call = async (number: number) => {
    for (let turn = number; !isOver(); turn++) {
      const headers = { authorization: `Bearer ${token}`, connection: 'close' };
      const response = await fetch(addresses[turn % addresses.length] + LIST, { headers });
      await response.text();
      statuses.push(response.status);
      await sleep(pauseMs);
    }
  };
  await Promise.all(Array.from({ length: callers }, (_, number) => call(number)));
  return { statuses, seconds: (performance.now() - startedAt) / 1000 };
}

/**
 * Callers who want more than they may have get what they may have, to within a tenth. The best of three counts: on a machine
 * that is busy for longer than a lease may take, a process counts by itself for a moment, and if the database takes longer
 * than a call may wait, it is answered with 503.
 */
async function expectShared(addresses: readonly string[], token: string): Promise<void> {
  const shares: number[] = [];
  const isExact = () => shares.some((share) => share > 0.9 && share < 1.1);
  while (!isExact() && shares.length < 3) {
    if (shares.length > 0) await sleep((BURST / RATE) * 1000);
    const { statuses, seconds } = await callFor(addresses, token, { seconds: 5, callers: 6, pauseMs: 20 });
    const allowed = statuses.filter((status) => status === 200).length;
    shares.push(statuses.includes(503) ? Number.NaN : allowed / (RATE * seconds + BURST));
    expect(new Set(statuses.filter((status) => status !== 503))).toEqual(new Set([200, 429]));
  }
  expect(isExact(), `allowed ${shares.join(', ')} of what may be allowed`).toBe(true);
}

/** A caller that stays below the rate is never refused. */
async function expectNoRefusal(addresses: readonly string[], token: string): Promise<void> {
  const { statuses } = await callFor(addresses, token, { seconds: 3, callers: 1, pauseMs: 1000 / (0.8 * RATE) });
  expect(new Set(statuses.filter((status) => status !== 503))).toEqual(new Set([200]));
}

async function serveByTwo() {
  const program = new Program({ ROLLCALL_WORKERS: '2', ...LIMITS });
  const { key } = await createTestAccount(program, { clients: 20 });
  const service = await program.serve();
  const { data } = await exchange(service.production, key.api_key);
  return { service, token: data.access_token };
}

test('two workers share one limit', async () => {
  const { service, token } = await serveByTwo();
  await expectShared([service.production], token);
  await sleep((BURST / RATE) * 1000);
  await expectNoRefusal([service.production], token);
  expect(service.log()).not.toContain('rate limits cannot be shared');
});

test('workers go on without a primary process that hangs, and nobody is refused because of it', async () => {
  const { service, token } = await serveByTwo();
  const headers = { authorization: `Bearer ${token}` };
  // Connections that are already open stay with their workers, while a primary process that hangs accepts no others.
  expect((await timed(service.production + LIST, headers)).status).toBe(200);
  const { pid = 0 } = service.process;
  expect(childrenOf(pid).length).toBeGreaterThanOrEqual(2);
  freeze(pid);
  for (let call = 0; call < 15; call++) {
    expect((await timed(service.production + LIST, headers)).status).toBe(200);
    await sleep(60);
  }
  process.kill(pid, 'SIGCONT');
  expect(await service.stop()).toBe(0);
});

test('two nodes share one limit, and a caller of only one of them gets all of it', async () => {
  const { nodes, first, token } = await openNodes(server, 2, LIMITS);
  const addresses = nodes.map(({ production }) => production);
  await expectShared(addresses, token);
  await sleep((BURST / RATE) * 1000);
  await expectShared([first.production], token);
  await sleep((BURST / RATE) * 1000);
  await expectNoRefusal(addresses, token);
  for (const node of nodes) expect(node.log()).not.toContain('rate limits cannot be shared');
});

const messagesOf = ({ log }: Serving) =>
  log()
    .split('\n')
    .filter((line) => line.includes('"rate limits'))
    .map((line) => JSON.parse(line).msg);

test('a database server that does not respond causes no refusal: each node counts by itself, and logs it once', async () => {
  const { nodes, first, token } = await openNodes(server, 2, LIMITS);
  const addresses = nodes.map(({ production }) => production);
  await expectNoRefusal(addresses, token);
  onTestFinished(() => server.thaw());
  server.freeze();
  const during = await callFor(addresses, token, { seconds: 6, callers: 4, pauseMs: 250 });
  expect(during.statuses.filter((status) => status !== 200 && status !== 503)).toEqual([]);
  expect(during.statuses).toContain(503);
  await expect
    .poll(() => messagesOf(first))
    .toEqual(['rate limits cannot be shared; this process counts calls by itself']);

  server.thaw();
  await expect
    .poll(async () => {
      await callFor(addresses, token, { seconds: 0.2, callers: 1, pauseMs: 100 });
      return messagesOf(first);
    })
    .toEqual(['rate limits cannot be shared; this process counts calls by itself', 'rate limits are shared again']);
  await sleep((BURST / RATE) * 1000);
  await expectShared(addresses, token);
});
