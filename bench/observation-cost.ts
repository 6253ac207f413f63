// Measures how much processor time metrics and traces add to a page from the cache: node bench/observation-cost.ts
// The services are measured in turns, because other programs on the machine slow down all of them.
import { once } from 'node:events';
import { mkdirSync, rmSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import type { Readable } from 'node:stream';
import { text } from 'node:stream/consumers';
import { startProgram } from './child-processes.ts';
import { cpuSeconds } from './measure/process-usage.ts';
import { SCRATCH } from './paths.ts';
import { createAccount, type RunningService, rollcall, serve, WORKSPACE } from './peers/rollcall.ts';

const ROUNDS = 40;
const SECONDS = 1;
const WARM_UP_SECONDS = 6;
const PATH = '/api/v1/clients-list/?page_limit=10';

interface Contender {
  name: string;
  service: RunningService;
  /** Processor time per response in microseconds, by round. */
  costs: number[];
}

const folder = join(SCRATCH, 'observation-cost');
rmSync(folder, { recursive: true, force: true });
mkdirSync(folder, { recursive: true });
const databaseUrl = `sqlite:${join(folder, 'rollcall.db')}`;
const { apiKey } = await createAccount(databaseUrl);
await rollcall(databaseUrl, ['sample', ...WORKSPACE, '--clients', '1000']);
const collector = createServer((request, response) => {
  request.resume().once('end', () => response.end('{}'));
}).listen(0, '127.0.0.1');
await once(collector, 'listening');
const endpoint = `http://127.0.0.1:${(collector.address() as AddressInfo).port}`;

const contenders: Contender[] = [];
for (const [name, settings] of Object.entries<NodeJS.ProcessEnv>({
  off: {},
  'off, again': {},
  metrics: { ROLLCALL_METRICS_PORT: '0' },
  'traces of 1 %': { OTEL_EXPORTER_OTLP_ENDPOINT: endpoint, OTEL_TRACES_SAMPLER_ARG: '0.01' },
  'traces of all': { OTEL_EXPORTER_OTLP_ENDPOINT: endpoint },
})) {
  contenders.push({ name, service: await serve(`cost-${contenders.length}`, databaseUrl, settings), costs: [] });
}
const token = await exchange(contenders[0]?.service.address ?? '');
for (const { service } of contenders) await measure(service, WARM_UP_SECONDS);
for (let round = 0; round < ROUNDS; round++) {
  // Each begins a round equally often, because what runs right after another one may be slower.
  const order = contenders.map((_, index) => contenders[(index + round) % contenders.length] as Contender);
  for (const { service, costs } of order) costs.push(await measure(service, SECONDS));
}
print();
for (const { service } of contenders) await service.stop();
collector.closeAllConnections();
collector.close();

async function exchange(address: string): Promise<string> {
  const response = await fetch(`${address}/api/v1/generate-access-token/`, { headers: { 'api-key': apiKey } });
  const { data } = (await response.json()) as { data: { access_token: string } };
  return data.access_token;
}

async function measure(service: RunningService, seconds: number): Promise<number> {
  const before = cpuSeconds(service.pid) ?? 0;
  const wrk = startProgram('wrk', [
    ...['--threads', '1', '--connections', '10', '--duration', `${seconds}s`],
    ...['--header', `Authorization: Bearer ${token}`, service.address + PATH],
  ]);
  const output = await text(wrk.stdout as Readable);
  const responses = Number(/(\d+) requests in/.exec(output)?.[1]);
  if (!responses || /Non-2xx/.test(output)) throw new Error(`wrk did not measure: ${output}`);
  service.emptyLog();
  return (((cpuSeconds(service.pid) ?? 0) - before) / responses) * 1e6;
}

/** The median of the ratios within a round: what slows down one contender of a round mostly slows down the others, too. */
function print(): void {
  const [off] = contenders;
  for (const { name, costs } of contenders) {
    const ratios = costs.map((cost, round) => cost / (off?.costs[round] ?? Number.NaN));
    process.stdout.write(`${name.padEnd(14)} ${median(costs).toFixed(1)} µs, ${median(ratios).toFixed(3)} of off\n`);
  }
}

function median(values: readonly number[]): number {
  return values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)] ?? Number.NaN;
}
