import { type Contender, headersFor } from './contenders.ts';
import type { LoadGenerator, LoadResult } from './load.ts';
import type { BenchOptions } from './options.ts';
import type { Results, Row } from './results.ts';
import { say } from './say.ts';

const WARM_UP_SECONDS = 0.3;
/** Enough for a median of a server that takes seconds for each. */
const LEAST_ANSWERS = 5;

export interface Workload {
  name: string;
  clients: number;
  path: string;
  randomPages?: number | undefined;
  connections?: number;
  headers?: Record<string, string>;
}

/**
 * Measures the contenders one after the other, several times over, so that whatever else the machine does meets all of
 * them alike; of each, the round with the median rate counts.
 */
export async function measureInTurns(
  generator: LoadGenerator,
  options: BenchOptions,
  results: Results,
  workload: Workload,
  contenders: Contender[],
): Promise<void> {
  const rounds = new Map<Row, LoadResult[]>(contenders.map(({ row }) => [row, []]));
  for (let round = 0; round < options.rounds; round++) {
    for (const contender of contenders) {
      const result = await generator.run({
        address: contender.address,
        pid: contender.pid,
        path: workload.path,
        randomPages: workload.randomPages,
        seed: round + 1,
        headers: workload.headers ?? headersFor(contender),
        connections: workload.connections ?? options.connections,
        warmUpSeconds: WARM_UP_SECONDS,
        seconds: options.seconds,
        leastAnswers: LEAST_ANSWERS,
      });
      rounds.get(contender.row)?.push(result);
      contender.emptyLog();
    }
  }
  const rates: string[] = [];
  for (const [row, taken] of rounds) {
    const median = taken.sort((a, b) => a.perSecond - b.perSecond)[Math.floor(taken.length / 2)];
    if (!median) continue;
    results.measurements.push({ clients: workload.clients, workload: workload.name, row, ...median });
    rates.push(`${row} ${median.perSecond.toFixed(median.perSecond < 100 ? 1 : 0)}`);
  }
  say(`  ${workload.name}: ${rates.join(', ')} a second`);
}
