// Requests pages one after the other, with short pauses, until a message tells it to stop. Then it reports the response times.
import { setTimeout as sleep } from 'node:timers/promises';
import { bearer } from '../peers/api-calls.ts';
import { randomFrom } from './random.ts';
import { reportTimes } from './response-times.ts';
import { LIST_PATH } from './workloads.ts';

const REST_MS = 5;
const PAGES = 1000;

const [address = '', token = ''] = process.argv.slice(2);
const random = randomFrom(1);
const waits: number[] = [];
let stopping = false;
process.once('message', () => {
  stopping = true;
});

while (!stopping) {
  const url = `${address}${LIST_PATH}?page_no=${1 + Math.floor(random() * PAGES)}`;
  const start = performance.now();
  const response = await fetch(url, { headers: bearer(token) });
  await response.arrayBuffer();
  // The first request also opens the connection.
  if (waits.push(performance.now() - start) === 1) process.send?.('started');
  if (response.status !== 200) throw new Error(`answered ${response.status}`);
  await sleep(REST_MS);
}
reportTimes(waits.slice(1));
