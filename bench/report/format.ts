import { MILLION } from '../options.ts';

export function formatCount(clients: number): string {
  if (clients % MILLION === 0) return `${clients / MILLION} million`;
  return clients % 1000 === 0 ? `${clients / 1000} thousand` : String(clients);
}

/** About three significant digits. */
export function short(value: number): string {
  if (value >= 100) return Math.round(value).toLocaleString('en');
  return value >= 10 ? value.toFixed(1) : value.toFixed(2);
}

export function formatTable(header: string[], lines: string[][]): string {
  const all = [header, ...lines];
  const widths = header.map((_, column) => Math.max(...all.map((line) => line[column]?.length ?? 0)));
  return all
    .map((line) => `  ${line.map((cell, column) => cell.padEnd(widths[column] ?? 0)).join('  ')}`.trimEnd())
    .join('\n');
}
