import type { BenchOptions } from '../options.ts';
import { authorizationOf, type BenchServer } from '../peers/servers.ts';
import { reportProgress } from '../report/progress.ts';
import type { Results } from '../report/results.ts';
import type { Load, LoadGenerator, LoadResult } from './load.ts';

const WARM_UP_SECONDS = 0.3;
const COMPILING_SECONDS = 5;
/** Enough for a median, also of a server that takes seconds for each response. */
const LEAST_ANSWERS = 5;
/** The usual server handles one request at a time and takes seconds to skip to an offset: more connections would only wait. */
const CONNECTIONS_TO_USUAL = 2;

export interface Workload {
  name: string;
  clients: number;
  path: string;
  randomPages?: number | undefined;
  connections?: number;
  headers?: Record<string, string>;
}

/** Measures the servers in turn and stores the results. */
export async function measureInTurns(
  generator: LoadGenerator,
  options: BenchOptions,
  results: Results,
  workload: Workload,
  servers: BenchServer[],
): Promise<void> {
  const medians = await takeTurns(generator, options, workload, servers);
  const rates = servers.map(({ row }, index) => {
    const median = medians[index] as LoadResult;
    results.measurements.push({ clients: workload.clients, workload: workload.name, row, ...median });
    return `${row} ${median.perSecond.toFixed(median.perSecond < 100 ? 1 : 0)}`;
  });
  reportProgress(`  ${workload.name}: ${rates.join(', ')} a second`);
}

/** Warms the servers up with first and random pages: V8 compiles the hot code only after some fifty thousand requests. */
export async function warmUp(
  generator: LoadGenerator,
  options: BenchOptions,
  workload: Omit<Workload, 'name'>,
  servers: BenchServer[],
): Promise<void> {
  const longer = { ...options, rounds: 1, seconds: COMPILING_SECONDS };
  const { randomPages: _, ...first } = workload;
  for (const each of [first, workload]) await takeTurns(generator, longer, { name: 'warm-up', ...each }, servers);
}

/**
 * Measures the servers one after the other in several rounds, so that other work on the machine affects all of them
 * alike. For each server, the round with the median rate counts.
 */
export async function takeTurns(
  generator: LoadGenerator,
  options: BenchOptions,
  workload: Workload,
  servers: BenchServer[],
): Promise<LoadResult[]> {
  const rounds: LoadResult[][] = servers.map(() => []);
  for (let round = 0; round < options.rounds; round++) {
    for (const [index, server] of servers.entries()) {
      const load = loadFor(server, workload, options);
      rounds[index]?.push(await generator.run({ ...load, seed: round + 1 }));
      server.emptyLog();
    }
  }
  return rounds.map(medianRound);
}

function loadFor(server: BenchServer, workload: Workload, options: BenchOptions): Omit<Load, 'seed'> {
  const wanted = workload.connections ?? options.connections;
  const skips = server.row === 'usual' && workload.randomPages !== undefined;
  return {
    address: server.address,
    pid: server.pid,
    path: workload.path,
    randomPages: workload.randomPages,
    headers: workload.headers ?? authorizationOf(server),
    connections: skips ? Math.min(wanted, CONNECTIONS_TO_USUAL) : wanted,
    warmUpSeconds: WARM_UP_SECONDS,
    seconds: options.seconds,
    leastAnswers: LEAST_ANSWERS,
  };
}

function medianRound(rounds: LoadResult[]): LoadResult {
  const sorted = rounds.toSorted((a, b) => a.perSecond - b.perSecond);
  return sorted[Math.floor(sorted.length / 2)] as LoadResult;
}
