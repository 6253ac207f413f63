// Sends requests as fast as they are answered, in its own process, and reports the results. The percentiles are computed
// from every response: those of autocannon are in whole milliseconds, and a page takes less.
import { setTimeout as sleep } from 'node:timers/promises';
import autocannon from 'autocannon';
import type { Load, LoadResult } from './load.ts';
import { cpuSeconds } from './process-usage.ts';
import { randomFrom } from './random.ts';

/** More than a connection can send, so that the sequence of random pages does not repeat within a measurement. */
const REQUESTS_PER_SECOND = 8000;
/** A slow server gets this much time, until it has sent enough responses for a median. */
const EXTRA_SECONDS = 15;
/** A server that is nearly idle for this long has finished its work. */
const IDLE_SECONDS = 0.2;
const SETTLING_SECONDS = 60;
/** A request that waits behind many slow ones is not an error. */
const REQUEST_TIMEOUT_SECONDS = 300;

process.on('message', async (load: Load) => {
  try {
    process.send?.({ result: await generate(load) });
  } catch (error) {
    process.send?.({ failed: String(error) });
  }
});

async function generate(load: Load): Promise<LoadResult> {
  let milliseconds: number[] = [];
  let lastAnswerAt = 0;
  let failure: string | undefined;
  let connection = 0;
  const instance = autocannon({
    url: load.address,
    connections: load.connections,
    duration: load.warmUpSeconds + load.seconds + 2 * EXTRA_SECONDS,
    timeout: REQUEST_TIMEOUT_SECONDS,
    setupClient: (client) => client.setRequests(requestsOf(load, connection++)),
  });
  instance.on('response', (_client, status, _bytes, time) => {
    if (status !== 200) failure ??= `answered ${status}`;
    lastAnswerAt = performance.now();
    milliseconds.push(time);
  });
  instance.on('reqError', (error) => {
    failure ??= error.message;
  });

  await sleep(load.warmUpSeconds * 1000);
  milliseconds = [];
  const start = performance.now();
  const before = { own: process.cpuUsage(), server: cpuSeconds(load.pid) };
  await sleep(load.seconds * 1000);
  while (milliseconds.length < load.leastAnswers && performance.now() - start < EXTRA_SECONDS * 1000) await sleep(50);
  const [answers, seconds] = [milliseconds, (lastAnswerAt - start) / 1000];
  milliseconds = [];
  const own = process.cpuUsage(before.own);
  const elapsed = (performance.now() - start) / 1000;
  const serverCpu = (cpuSeconds(load.pid) ?? Number.NaN) - (before.server ?? Number.NaN);
  instance.stop();
  await instance;
  await settled(load.pid);

  if (failure) throw new Error(failure);
  if (answers.length === 0) throw new Error(`no response within ${EXTRA_SECONDS} seconds`);
  answers.sort((a, b) => a - b);
  return {
    answers: answers.length,
    perSecond: answers.length / seconds,
    p50Ms: percentile(answers, 0.5),
    p99Ms: percentile(answers, 0.99),
    maxMs: percentile(answers, 1),
    serverCpuMicroseconds: Number.isNaN(serverCpu) ? null : (serverCpu / answers.length) * 1e6,
    generatorBusy: (own.user + own.system) / 1e6 / elapsed,
  };
}

/** Waits until the server is idle, so that work for closed connections does not affect the next measurement. */
async function settled(pid: number): Promise<void> {
  const deadline = performance.now() + SETTLING_SECONDS * 1000;
  let before = cpuSeconds(pid);
  while (performance.now() < deadline) {
    await sleep(IDLE_SECONDS * 1000);
    const now = cpuSeconds(pid);
    if (now === undefined || before === undefined || now - before <= IDLE_SECONDS / 5) return;
    before = now;
  }
}

/** Every connection has its own sequence of requests. */
function requestsOf({ path, randomPages, headers, ...load }: Load, connection: number) {
  if (randomPages === undefined) return [{ method: 'GET', path, headers }];
  const random = randomFrom(load.seed * 1000 + connection);
  const length = Math.ceil((REQUESTS_PER_SECOND * (load.warmUpSeconds + load.seconds)) / load.connections);
  const separator = path.includes('?') ? '&' : '?';
  return Array.from({ length }, () => {
    const page = 1 + Math.floor(random() * randomPages);
    return { method: 'GET', path: `${path}${separator}page_no=${page}`, headers };
  });
}

function percentile(sorted: number[], share: number): number {
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? 0;
}
