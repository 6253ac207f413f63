import { type EngineName, onEngine } from '../engines.ts';
import { firstPageOf, randomPageOf, TOKEN_EXCHANGE } from '../measure/workloads.ts';
import { formatCount } from './format.ts';
import type { Results, ServerName } from './results.ts';
import { makeTarget, type Target } from './target.ts';

interface ProcessorGoal {
  what: string;
  workload: string;
  row: ServerName;
  /** At most so many times the processor time of the ceiling. */
  limit: number;
}

const GOALS: readonly ProcessorGoal[] = [
  { what: 'random page, page cache off', workload: randomPageOf('whole list'), row: 'uncached', limit: 4 },
  { what: 'first page, repeated, page cache on', workload: firstPageOf('whole list'), row: 'cached', limit: 1.5 },
  { what: 'token exchange', workload: TOKEN_EXCHANGE, row: 'cached', limit: 6 },
];

/** Compares the processor time of a response with that of the ceiling. The worst of all sizes counts. */
export function processorTargets(results: Results, engine: EngineName, sizes: number[]): Target[] {
  return GOALS.map(({ what, workload, row, limit }) => {
    const found = sizes.flatMap((clients) => {
      const ratio = processorRatio(results, engine, clients, workload, row, 'ceiling');
      return ratio === undefined ? [] : [{ clients, ratio }];
    });
    const worst = found.sort((a, b) => b.ratio - a.ratio)[0];
    const bare = worst && processorRatio(results, engine, worst.clients, workload, 'query', 'ceiling');
    const note = worst && `at ${formatCount(worst.clients)}${bare ? `; bare query ${bare.toFixed(2)} ×` : ''}`;
    const name = onEngine(engine, `processor time, ${what}, to the ceiling`);
    return makeTarget(name, 'below', limit, '×', worst?.ratio, note);
  });
}

/** How many times as much processor time a response takes from one server as from another. */
export function processorRatio(
  results: Results,
  engine: EngineName,
  clients: number,
  workload: string,
  row: ServerName,
  against: ServerName,
): number | undefined {
  const ours = results.find(engine, clients, workload, row)?.serverCpuMicroseconds;
  const other = results.find(engine, clients, workload, against)?.serverCpuMicroseconds;
  return ours && other ? ours / other : undefined;
}
