import { ENGINE_NAMES, ENGINE_TITLES, type EngineName, onEngine } from '../engines.ts';
import { IMPORT_BARE, IMPORT_IN_ORDER } from '../measure/measure-imports.ts';
import { WALK, WALK_BARE } from '../measure/measure-walk.ts';
import { formatCount, formatTable, short } from './format.ts';
import { processorTables } from './processor-table.ts';
import { questionTable } from './question-table.ts';
import { type Measurement, type Results, SERVER_TITLES, type ServerName } from './results.ts';
import { searchTable } from './search-table.ts';
import type { Target } from './target.ts';

const SERVER_NAMES = Object.keys(SERVER_TITLES) as ServerName[];

/** All results as text. */
export function formatResults(results: Results, targets: Target[]): string {
  const parts = ENGINE_NAMES.flatMap((engine) => [
    ...sizesOf(results, engine).flatMap((clients) => [
      ratesTable(results, engine, clients),
      ...processorTables(results, engine, clients),
    ]),
    ...(results.questions.some((each) => each.engine === engine) ? [questionTable(results, engine)] : []),
    ...(results.searches.some((each) => each.engine === engine) ? [searchTable(results, engine)] : []),
  ]);
  if (results.figures.length > 0) parts.push(bareFiguresTable(results), figuresTable(results));
  parts.push(targetsTable(targets));
  if (results.skipped.length > 0) {
    parts.push(['Not measured', ...results.skipped.map(({ what, why }) => `  ${what}: ${why}`)].join('\n'));
  }
  return `${parts.join('\n\n')}\n`;
}

function sizesOf({ measurements }: Results, engine: EngineName): number[] {
  const ours = measurements.filter((each) => each.engine === engine);
  return [...new Set(ours.map(({ clients }) => clients))].sort((a, b) => a - b);
}

function ratesTable(results: Results, engine: EngineName, clients: number): string {
  const here = results.measurements.filter((each) => each.engine === engine && each.clients === clients);
  const rows = SERVER_NAMES.filter((row) => here.some((each) => each.row === row));
  const workloads = [...new Set(here.map(({ workload }) => workload))];
  const lines = workloads.map((workload) => [
    workload,
    ...rows.map((row) => rate(results.find(engine, clients, workload, row))),
  ]);
  const title = `${ENGINE_TITLES[engine]}, ${formatCount(clients)} clients: responses per second (median / 99th percentile, ms)`;
  return `${title}\n${formatTable(['', ...rows.map((row) => SERVER_TITLES[row])], lines)}`;
}

function rate(measurement: Measurement | undefined): string {
  if (!measurement) return '';
  const { perSecond, p50Ms, p99Ms } = measurement;
  return `${short(perSecond)} (${short(p50Ms)} / ${short(p99Ms)})`;
}

/** What is measured in seconds, beside bare queries and inserts of the same rows. */
function bareFiguresTable(results: Results): string {
  const pairs = ENGINE_NAMES.flatMap((engine) =>
    [
      [WALK, WALK_BARE],
      [IMPORT_IN_ORDER, IMPORT_BARE],
    ].map((names) => names.map((name) => onEngine(engine, name))),
  );
  const lines = pairs.flatMap(([name = '', bareName = '']) => {
    const [ours, bare] = [results.figure(name), results.figure(bareName)];
    return ours && bare ? [[name, `${short(ours)} s`, `${short(bare)} s`, `${(ours / bare).toFixed(2)} ×`]] : [];
  });
  return `Beside bare queries and inserts of the same rows\n${formatTable(['', 'ours', 'bare', ''], lines)}`;
}

function figuresTable({ figures }: Results): string {
  const lines = figures.map(({ what, value, unit, note = '' }) => [what, `${short(value)} ${unit}`, note]);
  return `Other figures\n${formatTable(['', 'measured', ''], lines)}`;
}

function targetsTable(targets: Target[]): string {
  const lines = targets.map(({ what, side, limit, unit, measured, met, note = '' }) => [
    what,
    measured === null ? 'not measured' : `${short(measured)} ${unit}`,
    `${side === 'above' ? 'at least' : 'at most'} ${limit} ${unit}`,
    met === null ? '' : met ? 'met' : 'NOT MET',
    note,
  ]);
  return `Targets\n${formatTable(['', 'measured', 'target', '', ''], lines)}`;
}
