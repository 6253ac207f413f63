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

// The first request also opens the connection.
await createClient('first');
process.send?.('started');
// At least one change is measured, however soon the work beside it ends.
do {
  const start = performance.now();
  await createClient(String(waits.length));
  waits.push(performance.now() - start);
  await sleep(Number(restMs));
} while (!stopping);
reportTimes(waits);

async function createClient(name: string): Promise<void> {
  const client = { client_name: 'Probe', client_type: 'company', group_name: 'Probes' };
  const response = await fetch(`${address}/api/v1/clients/`, {
    method: 'POST',
    headers: { ...bearer(token), 'content-type': 'application/json' },
    body: JSON.stringify({ ...client, email: `probe${name}@mail.example` }),
  });
  await response.arrayBuffer();
  if (response.status !== 201) throw new Error(`answered ${response.status}`);
}
