import { type EngineName, onEngine } from '../engines.ts';
import { FILTER_NAMES, randomPageOf, randomPageOneAtATime } from '../measure/workloads.ts';
import { MILLION, TEN_THOUSAND } from '../options.ts';
import { formatCount } from './format.ts';
import type { Measurement, Results, ServerName } from './results.ts';
import { makeTarget, type Target } from './target.ts';

/** The rate relative to the ceiling on SQLite. The worst of all sizes counts. */
export function rateToCeiling(
  results: Results,
  sizes: number[],
  goal: { what: string; workload: string; row: ServerName; limit: number },
): Target {
  const found = sizes.flatMap((clients) => {
    const [ours, ceiling] = ([goal.row, 'ceiling'] as const).map((row) =>
      results.find('sqlite', clients, goal.workload, row),
    );
    return ours && ceiling ? [{ ours, ceiling, ratio: ours.perSecond / ceiling.perSecond }] : [];
  });
  const worst = found.sort((a, b) => a.ratio - b.ratio)[0];
  const note = worst && `at ${formatCount(worst.ours.clients)}${busyNote(worst.ceiling)}`;
  return makeTarget(`${goal.what}, to the ceiling`, 'above', goal.limit, '×', worst?.ratio, note);
}

/** If the load generator is the bottleneck, the processor time of each server is more informative than the rate. */
function busyNote({ generatorBusy }: Measurement): string {
  return generatorBusy === null ? '' : `; load generator ${Math.round(generatorBusy * 100)} % busy at the ceiling`;
}

/** How much longer a random page takes than with 10 thousand clients. The worst filter counts. */
export function growth(results: Results, engine: EngineName, clients: number): Target {
  const found = FILTER_NAMES.flatMap((filter) => {
    const [small, large] = [TEN_THOUSAND, clients].map((size) =>
      results.find(engine, size, randomPageOneAtATime(filter), 'uncached'),
    );
    return small && large ? [{ filter, small, large, ratio: large.p50Ms / small.p50Ms }] : [];
  });
  const worst = found.sort((a, b) => b.ratio - a.ratio)[0];
  const note =
    worst && `${worst.filter}: ${worst.large.p50Ms.toFixed(2)} ms against ${worst.small.p50Ms.toFixed(2)} ms`;
  const what = `median of a random page, ${formatCount(clients)} ÷ 10 thousand, any filter`;
  return makeTarget(onEngine(engine, what), 'below', 1.5, '×', worst?.ratio, note);
}

export function againstUsual(results: Results): Target {
  const [ours, usual] = (['uncached', 'usual'] as const).map((row) =>
    results.find('sqlite', MILLION, randomPageOf('whole list'), row),
  );
  const ratio = ours && usual && ours.perSecond / usual.perSecond;
  return makeTarget('random pages at 1 million against usual, page cache off', 'above', 300, '×', ratio);
}
