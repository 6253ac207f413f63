import { setTimeout as sleep } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { exchange, list } from '../e2e/api.ts';
import { flood, memoryOf } from '../e2e/flood.ts';
import { NO_RATE_LIMITS, Program } from '../e2e/program.ts';

const OWNER = 'owner@firm.example';
const WHERE = ['--account', OWNER, '--environment', 'production'];

async function serve() {
  const program = new Program(NO_RATE_LIMITS);
  await program.json(['account', 'create', '--name', 'Firm', '--email', OWNER]);
  await program.json(['sample', ...WHERE, '--clients', '1000']);
  const { api_key } = await program.json<{ api_key: string }>(['key', 'create', ...WHERE, '--name', 'test']);
  const service = await program.serve();
  const token: string = (await exchange(service.production, api_key)).data.access_token;
  await list(service.production, token, { pageLimit: 1000 });
  return { service, token, pid: service.process.pid ?? 0 };
}

/** Measures the responses to other callers and the peak memory during this time. */
async function watch({ service, token, pid }: Awaited<ReturnType<typeof serve>>, seconds: number) {
  const statuses = new Set<number>();
  let [mostMb, longestMs] = [0, 0];
  const until = performance.now() + seconds * 1000;
  while (performance.now() < until) {
    const startedAt = performance.now();
    statuses.add((await list(service.production, token)).status);
    longestMs = Math.max(longestMs, performance.now() - startedAt);
    mostMb = Math.max(mostMb, memoryOf(pid));
    await sleep(20);
  }
  return { statuses, mostMb: Math.round(mostMb), longestMs: Math.round(longestMs) };
}

const printResult = (what: string, seen: unknown) => process.stdout.write(`${what}: ${JSON.stringify(seen)}\n`);

test.each([1, 2, 3, 4, 5])(
  'sixty callers that pipeline and do not read, run %s: memory stays low, and other callers do not notice',
  async () => {
    const served = await serve();
    const before = memoryOf(served.pid);
    const connections = flood(served.service.production, served.token);
    const { statuses, mostMb, longestMs } = await watch(served, 20);
    printResult('60 connections, 120 requests each', { beforeMb: Math.round(before), mostMb, longestMs });
    expect(statuses).toEqual(new Set([200]));
    expect(mostMb - before).toBeLessThan(150);
    for (const socket of connections) socket.destroy();
    expect(await served.service.stop()).toBe(0);
  },
);

test('a thousand such callers: memory is bounded, other callers are answered or refused, and all of them are cut off', async () => {
  const served = await serve();
  const before = memoryOf(served.pid);
  const connections = flood(served.service.production, served.token, { connections: 1000, requests: 40 });
  const closed = Promise.all(connections.map((socket) => new Promise((resolve) => socket.once('close', resolve))));
  const { statuses, mostMb, longestMs } = await watch(served, 60);
  printResult('1000 connections, 40 requests each', {
    beforeMb: Math.round(before),
    mostMb,
    longestMs,
    statuses: [...statuses],
  });
  expect(statuses).toContain(200);
  expect([200, 503]).toEqual(expect.arrayContaining([...statuses]));
  expect(mostMb - before).toBeLessThan(400);
  // Connections that are still open read the rest now, until the service closes them.
  await sleep(30_000);
  for (const socket of connections) socket.resume();
  await closed;
  expect(await list(served.service.production, served.token)).toMatchObject({ status: 200 });
  expect(await served.service.stop()).toBe(0);
});
