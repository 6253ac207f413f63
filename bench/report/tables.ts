import { type Measurement, type Results, SERVER_TITLES, type ServerName } from './results.ts';
import { formatCount, type Target } from './targets.ts';

const SERVER_NAMES = Object.keys(SERVER_TITLES) as ServerName[];

/** All results as text. */
export function formatResults(results: Results, targets: Target[]): string {
  const sizes = [...new Set(results.measurements.map(({ clients }) => clients))].sort((a, b) => a - b);
  const parts = sizes.map((clients) => ratesTable(results, clients));
  parts.push(figuresTable(results), targetsTable(targets));
  if (results.skipped.length > 0) {
    parts.push(['Skipped', ...results.skipped.map(({ what, why }) => `  ${what}: ${why}`)].join('\n'));
  }
  return `${parts.join('\n\n')}\n`;
}

function ratesTable(results: Results, clients: number): string {
  const here = results.measurements.filter((each) => each.clients === clients);
  const rows = SERVER_NAMES.filter((row) => here.some((each) => each.row === row));
  const workloads = [...new Set(here.map(({ workload }) => workload))];
  const lines = workloads.map((workload) => [
    workload,
    ...rows.map((row) => rate(results.find(clients, workload, row))),
  ]);
  const title = `${formatCount(clients)} clients: responses per second (median / 99th percentile, ms)`;
  return `${title}\n${table(['', ...rows.map((row) => SERVER_TITLES[row])], lines)}`;
}

function rate(measurement: Measurement | undefined): string {
  if (!measurement) return '';
  const { perSecond, p50Ms, p99Ms } = measurement;
  return `${short(perSecond)} (${short(p50Ms)} / ${short(p99Ms)})`;
}

function figuresTable({ figures }: Results): string {
  const lines = figures.map(({ what, value, unit, note = '' }) => [what, `${short(value)} ${unit}`, note]);
  return `Other figures\n${table(['', 'measured', ''], lines)}`;
}

function targetsTable(targets: Target[]): string {
  const lines = targets.map(({ what, side, limit, unit, measured, met, note = '' }) => [
    what,
    measured === null ? 'not measured' : `${short(measured)} ${unit}`,
    `${side === 'above' ? 'at least' : 'at most'} ${limit} ${unit}`,
    met === null ? '' : met ? 'met' : 'NOT MET',
    note,
  ]);
  return `Targets\n${table(['', 'measured', 'target', '', ''], lines)}`;
}

function table(header: string[], lines: string[][]): string {
  const all = [header, ...lines];
  const widths = header.map((_, column) => Math.max(...all.map((line) => line[column]?.length ?? 0)));
  return all
    .map((line) => `  ${line.map((cell, column) => cell.padEnd(widths[column] ?? 0)).join('  ')}`.trimEnd())
    .join('\n');
}

/** About three significant digits. */
function short(value: number): string {
  if (value >= 100) return Math.round(value).toLocaleString('en');
  return value >= 10 ? value.toFixed(1) : value.toFixed(2);
}
