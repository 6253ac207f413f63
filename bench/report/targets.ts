import {
  EXPORT,
  IMPORT_IN_ORDER,
  IMPORT_SHUFFLED,
  LONGEST_WAIT,
  LONGEST_WAIT_BEFORE,
  peakMemoryOf,
} from '../measure/measure-files.ts';
import { SERVING_MEMORY } from '../measure/measure-memory.ts';
import { WALK } from '../measure/measure-walk.ts';
import { TWO_WORKERS } from '../measure/measure-workers.ts';
import { FILTER_NAMES, firstPageOf, randomPageOf, randomPageOneAtATime } from '../measure/workloads.ts';
import { MILLION, TEN_MILLION, TEN_THOUSAND } from '../options.ts';
import type { Results, ServerName } from './results.ts';

/** A promise of the project and the measured value. */
export interface Target {
  what: string;
  unit: string;
  /** `above` if more is better. */
  side: 'above' | 'below';
  limit: number;
  measured: number | null;
  met: boolean | null;
  note?: string;
}

/** Compares the results with all performance promises of the project. */
export function evaluateTargets(results: Results, sizes: number[]): Target[] {
  const largest = sizes.at(-1) ?? 0;
  const figure = (what: string, side: 'above' | 'below', limit: number, unit: string, note?: string) => {
    const found = results.figures.find((each) => each.what === what);
    return target(what, side, limit, unit, found?.value, note ?? found?.note);
  };
  const idleWait = results.figure(LONGEST_WAIT_BEFORE);
  return [
    toCeiling(results, sizes, 'first page, repeated, page cache on', firstPageOf('whole list'), 'cached', 0.75),
    toCeiling(results, sizes, 'random pages, page cache off', randomPageOf('whole list'), 'uncached', 0.35),
    growth(results, 'uncached', largest > MILLION ? largest : TEN_MILLION),
    ...(largest > TEN_THOUSAND && largest < TEN_MILLION ? [growth(results, 'uncached', largest)] : []),
    againstUsual(results),
    figure(WALK, 'below', 15, 's'),
    target(
      `resident memory serving ${formatCount(largest)}`,
      'below',
      250,
      'MB',
      results.figure(SERVING_MEMORY),
      largest < TEN_MILLION ? 'the target is for 10 million' : undefined,
    ),
    figure(IMPORT_IN_ORDER, 'below', 60, 's'),
    figure(IMPORT_SHUFFLED, 'below', 150, 's'),
    figure(peakMemoryOf(IMPORT_IN_ORDER), 'below', 300, 'MB'),
    figure(peakMemoryOf(IMPORT_SHUFFLED), 'below', 300, 'MB'),
    figure(EXPORT, 'below', 20, 's'),
    figure(peakMemoryOf(EXPORT), 'below', 200, 'MB'),
    figure(LONGEST_WAIT, 'below', 100, 'ms', idleWait === undefined ? undefined : `idle: ${idleWait.toFixed(0)} ms`),
    growth(results, 'postgres', MILLION),
    figure(TWO_WORKERS, 'above', 1.7, '×'),
  ];
}

/** The ratio to the ceiling. The worst of all sizes counts. */
function toCeiling(
  results: Results,
  sizes: number[],
  what: string,
  workload: string,
  row: ServerName,
  limit: number,
): Target {
  const found = sizes.flatMap((clients) => {
    const [ours, ceiling] = [results.find(clients, workload, row), results.find(clients, workload, 'ceiling')];
    return ours && ceiling ? [{ ours, ceiling, ratio: ours.perSecond / ceiling.perSecond }] : [];
  });
  const worst = found.sort((a, b) => a.ratio - b.ratio)[0];
  const note = worst && `at ${formatCount(worst.ours.clients)}; ${processorNote(worst.ours, worst.ceiling)}`;
  return target(`${what}, to the ceiling`, 'above', limit, '×', worst?.ratio, note);
}

/** If the load generator is the bottleneck, the processor time of each server is more informative than the rate. */
function processorNote(
  ours: { serverCpuMicroseconds: number | null },
  ceiling: { serverCpuMicroseconds: number | null; generatorBusy: number },
): string {
  const busy = `load generator ${Math.round(ceiling.generatorBusy * 100)} % busy at the ceiling`;
  if (!ours.serverCpuMicroseconds || !ceiling.serverCpuMicroseconds) return busy;
  return `${busy}; by processor time ${(ceiling.serverCpuMicroseconds / ours.serverCpuMicroseconds).toFixed(2)} ×`;
}

/** How much longer a random page takes than with 10 thousand clients. The worst filter counts. */
function growth(results: Results, row: ServerName, clients: number): Target {
  const found = FILTER_NAMES.flatMap((filter) => {
    const small = results.find(TEN_THOUSAND, randomPageOneAtATime(filter), row);
    const large = results.find(clients, randomPageOneAtATime(filter), row);
    return small && large ? [{ filter, small, large, ratio: large.p50Ms / small.p50Ms }] : [];
  });
  const worst = found.sort((a, b) => b.ratio - a.ratio)[0];
  const note =
    worst && `${worst.filter}: ${worst.large.p50Ms.toFixed(2)} ms against ${worst.small.p50Ms.toFixed(2)} ms`;
  const engine = row === 'postgres' ? 'PostgreSQL, ' : '';
  const what = `${engine}median of a random page, ${formatCount(clients)} ÷ 10 thousand, any filter`;
  return target(what, 'below', 1.5, '×', worst?.ratio, note);
}

function againstUsual(results: Results): Target {
  const workload = randomPageOf('whole list');
  const [ours, usual] = [results.find(MILLION, workload, 'uncached'), results.find(MILLION, workload, 'usual')];
  const ratio = ours && usual && ours.perSecond / usual.perSecond;
  return target('random pages at 1 million against usual, page cache off', 'above', 300, '×', ratio);
}

function target(
  what: string,
  side: 'above' | 'below',
  limit: number,
  unit: string,
  measured: number | undefined,
  note?: string,
): Target {
  const met = measured === undefined ? null : side === 'above' ? measured >= limit : measured <= limit;
  return { what, unit, side, limit, measured: measured ?? null, met, ...(note && { note }) };
}

export function formatCount(clients: number): string {
  if (clients % MILLION === 0) return `${clients / MILLION} million`;
  return clients % 1000 === 0 ? `${clients / 1000} thousand` : String(clients);
}
