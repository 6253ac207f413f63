// Compares reading the whole list with the client package and with a hand-written fetch loop. Both read from a server that
// responds at once (peers/constant-pages.ts), so that the time of the service does not hide the difference.
//
//   node bench/walk-client.ts [clients = 1000000] [rounds = 5]
import { fork } from 'node:child_process';
import { once } from 'node:events';
import { Rollcall } from '../packages/client/src/index.ts';

const clients = Number(process.argv[2] ?? 1_000_000);
const rounds = Number(process.argv[3] ?? 5);

const service = fork(new URL('./peers/constant-pages.ts', import.meta.url), [String(clients)]);
const [address] = (await once(service, 'message')) as [string];

const walks = { 'hand-written loop': byHand, 'client, by client': byClient, 'client, by page': byPage };
const bestMs: Record<string, number> = {};
try {
  for (let round = 0; round < rounds; round++) {
    for (const [name, walk] of Object.entries(walks)) {
      const start = performance.now();
      const seen = await walk();
      const elapsed = performance.now() - start;
      if (seen !== clients) throw new Error(`${name} saw ${seen} of ${clients} clients`);
      bestMs[name] = Math.min(bestMs[name] ?? Number.POSITIVE_INFINITY, elapsed);
    }
  }
} finally {
  service.kill();
}

const hand = bestMs['hand-written loop'] ?? 0;
for (const [name, milliseconds] of Object.entries(bestMs)) {
  const ratio = (milliseconds / hand).toFixed(2);
  process.stdout.write(`${name.padEnd(18)} ${milliseconds.toFixed(0).padStart(7)} ms  ${ratio} x\n`);
}
process.stdout.write(`${clients} clients, 1000 per page, best of ${rounds}, Node ${process.version}\n`);

async function byClient(): Promise<number> {
  let seen = 0;
  for await (const client of new Rollcall({ apiKey: 'key', baseUrl: address }).clients.list()) {
    if (client.reference_id) seen++;
  }
  return seen;
}

async function byPage(): Promise<number> {
  let seen = 0;
  for await (const page of new Rollcall({ apiKey: 'key', baseUrl: address }).clients.list().pages()) {
    for (const client of page.results) if (client.reference_id) seen++;
  }
  return seen;
}

/** What a developer writes in ten minutes: it follows the links and handles no errors. */
async function byHand(): Promise<number> {
  const exchanged = await fetch(`${address}/api/v1/generate-access-token/`, { headers: { 'api-key': 'key' } });
  const token = ((await exchanged.json()) as { data: { access_token: string } }).data.access_token;
  let seen = 0;
  let url: string | undefined = `${address}/api/v1/clients-list/?page_limit=1000`;
  while (url) {
    const response: Response = await fetch(url, { headers: { authorization: `Bearer ${token}` } });
    const body = (await response.json()) as { data: { results: { reference_id: string }[] } };
    for (const client of body.data.results) if (client.reference_id) seen++;
    const next: string | undefined = /<([^>]*)>; rel="next"/.exec(response.headers.get('link') ?? '')?.[1];
    url = next && new URL(next, address).href;
  }
  return seen;
}
