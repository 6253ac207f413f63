// Creates clients one after the other, with short pauses, until a message tells it to stop. Then it reports the response times.
import { setTimeout as sleep } from 'node:timers/promises';
import { bearer } from '../peers/api-calls.ts';
import { reportTimes } from './response-times.ts';

const [address = '', token = '', restMs = '5'] = process.argv.slice(2);
const waits: number[] = [];
let stopping = false;
process.once('message', () => {
  stopping = true;
});

while (!stopping) {
  const client = { client_name: 'Probe', client_type: 'company', group_name: 'Probes' };
  const start = performance.now();
  const response = await fetch(`${address}/api/v1/clients/`, {
    method: 'POST',
    headers: { ...bearer(token), 'content-type': 'application/json' },
    body: JSON.stringify({ ...client, email: `probe${waits.length}@mail.example` }),
  });
  await response.arrayBuffer();
  // The first request also opens the connection.
  if (waits.push(performance.now() - start) === 1) process.send?.('started');
  if (response.status !== 201) throw new Error(`answered ${response.status}`);
  await sleep(Number(restMs));
}
reportTimes(waits.slice(1));
