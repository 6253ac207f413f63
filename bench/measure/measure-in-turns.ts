import { authorizationOf, type BenchServer } from '../peers/servers.ts';
import { reportProgress } from '../report/progress.ts';
import type { Bench } from './bench.ts';
import type { Load, RequestChoice } from './load.ts';
import type { LoadResult } from './load-generator.ts';

/** V8 compiles the hot code only after some fifty thousand requests. */
const WARM_UP_SECONDS = 5;
/** The usual server handles one request at a time and takes seconds to skip to an offset: more connections would only wait. */
const CONNECTIONS_TO_USUAL = 2;

export interface Workload {
  name: string;
  choices: RequestChoice[];
  connections?: number;
  headers?: Record<string, string>;
}

/** A workload on a server, which is measured in turn with others. */
export interface Contender {
  server: BenchServer;
  workload: Workload;
}

/** Measures the servers in turn with the same requests and stores the results. */
export async function measureInTurns(
  bench: Bench,
  clients: number,
  workload: Workload,
  servers: BenchServer[],
): Promise<void> {
  const medians = await takeTurns(
    bench,
    servers.map((server) => ({ server, workload })),
  );
  const rates = servers.map(({ engine, row }, index) => {
    const median = medians[index] as LoadResult;
    bench.results.measurements.push({ engine, clients, workload: workload.name, row, ...median });
    return `${row} ${median.perSecond.toFixed(median.perSecond < 100 ? 1 : 0)}`;
  });
  reportProgress(`  ${workload.name}: ${rates.join(', ')} a second`);
}

/** Gives every contender the same time of unrecorded requests. Short measurements, as in tests, have a short warm-up. */
export async function warmUp(
  { generator, options }: Bench,
  contenders: Contender[],
  seconds = Math.min(WARM_UP_SECONDS, options.seconds * WARM_UP_SECONDS),
): Promise<void> {
  for (const { server, workload } of contenders) {
    await generator.run({ ...loadFor(server, workload, options.connections), seconds, seed: 0 }, server);
    server.emptyLog();
  }
}

/**
 * Measures the contenders one after the other in several rounds, so that other work on the machine affects all of them
 * alike. For each, the round with the median rate counts.
 */
export async function takeTurns({ generator, options }: Bench, contenders: Contender[]): Promise<LoadResult[]> {
  const rounds: LoadResult[][] = contenders.map(() => []);
  for (let round = 1; round <= options.rounds; round++) {
    for (const [index, { server, workload }] of contenders.entries()) {
      const load = loadFor(server, workload, options.connections);
      rounds[index]?.push(await generator.run({ ...load, seconds: options.seconds, seed: round }, server));
      server.emptyLog();
    }
  }
  return rounds.map(medianRound);
}

function loadFor(server: BenchServer, workload: Workload, connections: number): Omit<Load, 'seed' | 'seconds'> {
  const wanted = workload.connections ?? connections;
  const skips = server.row === 'usual' && workload.choices.some(({ numbers }) => numbers !== undefined);
  return {
    address: server.address,
    choices: workload.choices,
    headers: workload.headers ?? authorizationOf(server),
    connections: skips ? Math.min(wanted, CONNECTIONS_TO_USUAL) : wanted,
  };
}

function medianRound(rounds: LoadResult[]): LoadResult {
  const sorted = rounds.toSorted((a, b) => a.perSecond - b.perSecond);
  return sorted[Math.floor(sorted.length / 2)] as LoadResult;
}
