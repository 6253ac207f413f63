import type { BenchOptions } from '../options.ts';
import { type Contender, headersFor } from '../peers/contenders.ts';
import type { Results } from '../report/results.ts';
import { say } from '../report/say.ts';
import type { Load, LoadGenerator, LoadResult } from './load.ts';

const WARM_UP_SECONDS = 0.3;
const COMPILING_SECONDS = 5;
/** Enough for a median of a server that takes seconds for each. */
const LEAST_ANSWERS = 5;
/** It does one thing at a time and skips through the list for seconds: more connections would only wait in line. */
const CONNECTIONS_TO_USUAL = 2;

export interface Workload {
  name: string;
  clients: number;
  path: string;
  randomPages?: number | undefined;
  connections?: number;
  headers?: Record<string, string>;
}

/** Measures the contenders side by side, and keeps what it finds. */
export async function measureInTurns(
  generator: LoadGenerator,
  options: BenchOptions,
  results: Results,
  workload: Workload,
  contenders: Contender[],
): Promise<void> {
  const medians = await takeTurns(generator, options, workload, contenders);
  const rates = contenders.map(({ row }, index) => {
    const median = medians[index] as LoadResult;
    results.measurements.push({ clients: workload.clients, workload: workload.name, row, ...median });
    return `${row} ${median.perSecond.toFixed(median.perSecond < 100 ? 1 : 0)}`;
  });
  say(`  ${workload.name}: ${rates.join(', ')} a second`);
}

/** A process is slow until what it does often has been compiled: some fifty thousand requests, first and random pages. */
export async function warmUp(
  generator: LoadGenerator,
  options: BenchOptions,
  workload: Omit<Workload, 'name'>,
  contenders: Contender[],
): Promise<void> {
  const longer = { ...options, rounds: 1, seconds: COMPILING_SECONDS };
  const { randomPages: _, ...first } = workload;
  for (const each of [first, workload]) await takeTurns(generator, longer, { name: 'warm-up', ...each }, contenders);
}

/**
 * Measures them one after the other, several times over, so that whatever else the machine does meets all of them
 * alike; of each, the round with the median rate counts.
 */
export async function takeTurns(
  generator: LoadGenerator,
  options: BenchOptions,
  workload: Workload,
  contenders: Contender[],
): Promise<LoadResult[]> {
  const rounds: LoadResult[][] = contenders.map(() => []);
  for (let round = 0; round < options.rounds; round++) {
    for (const [index, contender] of contenders.entries()) {
      const load = loadFor(contender, workload, options);
      rounds[index]?.push(await generator.run({ ...load, seed: round + 1 }));
      contender.emptyLog();
    }
  }
  return rounds.map(medianRound);
}

function loadFor(contender: Contender, workload: Workload, options: BenchOptions): Omit<Load, 'seed'> {
  const wanted = workload.connections ?? options.connections;
  const skips = contender.row === 'usual' && workload.randomPages !== undefined;
  return {
    address: contender.address,
    pid: contender.pid,
    path: workload.path,
    randomPages: workload.randomPages,
    headers: workload.headers ?? headersFor(contender),
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
