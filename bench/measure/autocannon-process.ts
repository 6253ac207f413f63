// Sends requests with autocannon in its own process, and reports the results. The percentiles are computed from every
// response: those of autocannon are in whole milliseconds, and a page takes less.
import { setTimeout as sleep } from 'node:timers/promises';
import autocannon, { type Request } from 'autocannon';
import {
  firstSerial,
  type Load,
  NUMBER,
  REQUEST_TIMEOUT_SECONDS,
  type RequestChoice,
  SERIAL,
  type SentLoad,
} from './load.ts';
import { randomFrom } from './random.ts';

/** More than a connection can send, so that the sequence of random pages does not repeat within a measurement. */
const REQUESTS_PER_SECOND = 8000;
/** How often autocannon looks whether it was stopped. */
const STOPPING_MS = 100;

let previous: PromiseLike<unknown> = Promise.resolve();
let serial = 0;

process.on('message', async (load: Load) => {
  try {
    await previous;
    process.send?.({ sent: await send(load) });
  } catch (error) {
    process.send?.({ failed: String(error) });
  }
});

async function send(load: Load): Promise<SentLoad> {
  let milliseconds: number[] = [];
  let lastAnswerAt = 0;
  let failure: string | undefined;
  serial = firstSerial();
  const sequences = Array.from({ length: load.connections }, (_, connection) => requestsOf(load, connection));
  const start = performance.now();
  const usedBefore = process.cpuUsage();
  const instance = autocannon({
    url: load.address,
    connections: load.connections,
    // Longer than it runs, because it is stopped here.
    duration: load.seconds + 10,
    sampleInt: STOPPING_MS,
    timeout: REQUEST_TIMEOUT_SECONDS,
    setupClient: (client) => client.setRequests(sequences.pop() ?? []),
  });
  instance.on('response', (_client, status, _bytes, time) => {
    if (status !== 200 && status !== 201) failure ??= `answered ${status}`;
    lastAnswerAt = performance.now();
    milliseconds.push(time);
  });
  instance.on('reqError', (error) => {
    failure ??= error.message;
  });

  await sleep(load.seconds * 1000);
  const [answers, seconds] = [milliseconds, (lastAnswerAt - start) / 1000];
  milliseconds = [];
  const used = process.cpuUsage(usedBefore);
  const elapsed = (performance.now() - start) / 1000;
  instance.stop();
  // It goes on sending for a moment, which must not be counted: the results are reported before that.
  previous = instance;

  if (failure) throw new Error(failure);
  answers.sort((a, b) => a - b);
  return {
    answers: answers.length,
    seconds,
    p50Ms: percentile(answers, 0.5),
    p99Ms: percentile(answers, 0.99),
    maxMs: percentile(answers, 1),
    generatorBusy: (used.user + used.system) / 1e6 / elapsed,
  };
}

/** Every connection has its own sequence of requests. */
function requestsOf({ choices, headers, ...load }: Load, connection: number): Request[] {
  const random = randomFrom(load.seed * 1000 + connection);
  const isAlwaysSame = choices.length === 1 && choices[0]?.numbers === undefined;
  const length = isAlwaysSame ? 1 : Math.ceil((REQUESTS_PER_SECOND * load.seconds) / load.connections);
  return Array.from({ length }, () => {
    const { path, numbers = 1, body } = choices[Math.floor(random() * choices.length)] as RequestChoice;
    if (body !== undefined) return { method: 'POST', path, headers, setupRequest: numbered(body) };
    return { method: 'GET', path: path.replace(NUMBER, String(1 + Math.floor(random() * numbers))), headers };
  });
}

/** Gives every request another serial number when it is sent. */
function numbered(body: string) {
  return (request: Request): Request => {
    serial++;
    return { ...request, body: body.replace(SERIAL, String(serial).padStart(SERIAL.length, '0')) };
  };
}

function percentile(sorted: number[], share: number): number {
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? 0;
}
