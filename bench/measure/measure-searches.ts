import { readPage } from '../peers/api-calls.ts';
import { type FoundClients, searchClients, signIn } from '../peers/console-calls.ts';
import { ACCOUNT } from '../peers/rollcall.ts';
import type { RollcallServer } from '../peers/servers.ts';
import { reportProgress } from '../report/progress.ts';
import type { Bench } from './bench.ts';
import { randomPage } from './load.ts';
import { takeTurns, type Workload, warmUp } from './measure-in-turns.ts';
import { SEARCHES } from './searches.ts';
import { LIST_PATH } from './workloads.ts';

/** Each search is repeated until one of these is reached. */
const REPEATS = { times: 20, seconds: 10 };

interface Searching {
  name: string;
  run(): Promise<FoundClients>;
}

/**
 * Measures searches through the dashboard, one at a time, and then random pages of the API while one member searches without
 * a pause for what at most 10,000 clients have.
 */
export async function measureSearches(
  bench: Bench,
  clients: number,
  server: RollcallServer,
  password: string,
): Promise<void> {
  const { results } = bench;
  const headers = await signIn(server.dashboard, ACCOUNT, password);
  const { total_pages: pages, results: shown } = await readPage(server.address, server.token, 'page_no=2');
  const sample = shown[0];
  if (!sample) throw new Error('There are too few clients to search for.');
  const exact: Searching[] = [];
  for (const { name, ask } of SEARCHES) {
    const search = { name, run: () => searchClients(server.dashboard, headers, ask(sample)) };
    const { total_count: found, total_is_exact: isTotalExact } = await search.run();
    if (isTotalExact) exact.push(search);
    const p50Ms = await medianOf(search);
    results.searches.push({ engine: server.engine, clients, search: name, found, isTotalExact, p50Ms });
    reportProgress(`  search for ${name}: ${p50Ms.toFixed(1)} ms, ${isTotalExact ? '' : 'more than '}${found} clients`);
  }
  const workload: Workload = { name: 'random page', choices: [randomPage(LIST_PATH, pages)] };
  await measureBeside(bench, clients, server, workload, exact);
}

async function medianOf({ run }: Searching): Promise<number> {
  const times: number[] = [];
  const start = performance.now();
  while (times.length < REPEATS.times && performance.now() - start < REPEATS.seconds * 1000) {
    const before = performance.now();
    await run();
    times.push(performance.now() - before);
  }
  return median(times);
}

/** In turns with and without searches, so that other work on the machine affects both alike. */
async function measureBeside(
  bench: Bench,
  clients: number,
  server: RollcallServer,
  workload: Workload,
  searches: Searching[],
): Promise<void> {
  const contenders = [{ server, workload }];
  const once = { ...bench, options: { ...bench.options, rounds: 1 } };
  const [alone, beside]: [number[], number[]] = [[], []];
  await warmUp(bench, contenders);
  for (let round = 0; round < bench.options.rounds; round++) {
    alone.push(...(await takeTurns(once, contenders)).map(({ p99Ms }) => p99Ms));
    const searching = searchUntilStopped(searches);
    beside.push(...(await takeTurns(once, contenders)).map(({ p99Ms }) => p99Ms));
    await searching.stop();
  }
  const result = { aloneP99Ms: median(alone), besideP99Ms: median(beside) };
  bench.results.besideSearches.push({ engine: server.engine, clients, ...result });
  reportProgress(`  99th percentile beside searches: ${(result.besideP99Ms / result.aloneP99Ms).toFixed(2)} times`);
}

function searchUntilStopped(searches: Searching[]): { stop(): Promise<void> } {
  let isStopped = false;
  const searching = (async () => {
    while (!isStopped) for (const { run } of searches) if (!isStopped) await run();
  })();
  return {
    stop: () => {
      isStopped = true;
      return searching;
    },
  };
}

function median(times: number[]): number {
  return times.toSorted((a, b) => a - b)[Math.floor(times.length / 2)] ?? 0;
}
