import { type Bar, inWords } from './bars.ts';
import { type Measurement, type Results, ROWS, type Row } from './results.ts';

const ROW_NAMES = Object.keys(ROWS) as Row[];

/** Everything that was found, for reading. */
export function asText(results: Results, bars: Bar[]): string {
  const sizes = [...new Set(results.measurements.map(({ clients }) => clients))].sort((a, b) => a - b);
  const parts = sizes.map((clients) => ratesTable(results, clients));
  parts.push(figuresTable(results), barsTable(bars));
  if (results.skipped.length > 0) {
    parts.push(['Skipped', ...results.skipped.map(({ what, why }) => `  ${what}: ${why}`)].join('\n'));
  }
  return `${parts.join('\n\n')}\n`;
}

function ratesTable(results: Results, clients: number): string {
  const here = results.measurements.filter((each) => each.clients === clients);
  const rows = ROW_NAMES.filter((row) => here.some((each) => each.row === row));
  const workloads = [...new Set(here.map(({ workload }) => workload))];
  const lines = workloads.map((workload) => [
    workload,
    ...rows.map((row) => rate(results.find(clients, workload, row))),
  ]);
  const title = `${inWords(clients)} clients: answers a second (median / 99th percentile, ms)`;
  return `${title}\n${table(['', ...rows.map((row) => ROWS[row])], lines)}`;
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

function barsTable(bars: Bar[]): string {
  const lines = bars.map(({ what, side, limit, unit, measured, met, note = '' }) => [
    what,
    measured === null ? 'not measured' : `${short(measured)} ${unit}`,
    `${side === 'above' ? 'at least' : 'at most'} ${limit} ${unit}`,
    met === null ? '' : met ? 'met' : 'NOT MET',
    note,
  ]);
  return `The bars\n${table(['', 'measured', 'bar', '', ''], lines)}`;
}

function table(header: string[], lines: string[][]): string {
  const all = [header, ...lines];
  const widths = header.map((_, column) => Math.max(...all.map((line) => line[column]?.length ?? 0)));
  return all
    .map((line) => `  ${line.map((cell, column) => cell.padEnd(widths[column] ?? 0)).join('  ')}`.trimEnd())
    .join('\n');
}

/** Three digits that matter. */
function short(value: number): string {
  if (value >= 100) return Math.round(value).toLocaleString('en');
  return value >= 10 ? value.toFixed(1) : value.toFixed(2);
}
