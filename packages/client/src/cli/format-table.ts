import type { Client } from '../generated/api.ts';
import type { PrintedPage } from './printed-page.ts';
import type { Terminal } from './process-io.ts';
import { cut, pad, printable, widthOf } from './text-width.ts';

interface Column {
  title: string;
  /** May be shortened to fit the terminal. */
  flexible?: true;
  /** Shown only if clients have this field, which must be asked for. */
  ifIncluded?: 'external_id' | 'updated_at';
  text(client: Client): string;
}

const COLUMNS: Column[] = [
  { title: 'REFERENCE', text: (client) => client.reference_id },
  { title: 'NAME', text: (client) => client.client_name, flexible: true },
  { title: 'EMAIL', text: (client) => client.email, flexible: true },
  { title: 'TYPE', text: (client) => client.client_type },
  { title: 'GROUP', text: (client) => client.group_name, flexible: true },
  { title: 'REQUEST STATUS', text: (client) => client.request_status },
  { title: 'CLIENT STATUS', text: (client) => client.client_status },
  { title: 'CREATED', text: (client) => shortTime(client.created_at) },
  { title: 'EXTERNAL ID', text: (client) => client.external_id ?? '', flexible: true, ifIncluded: 'external_id' },
  { title: 'UPDATED', text: (client) => shortTime(client.updated_at ?? ''), ifIncluded: 'updated_at' },
];
function shortTime(time: string): string {
  return time.slice(0, 16).replace('T', ' ');
}

const GAP = '  ';
const NARROWEST = 8;

/** Columns are as wide as the first page needs and the terminal allows. Without a terminal, nothing is shortened. */
export async function* formatTable(
  pages: AsyncIterable<PrintedPage>,
  terminal: Terminal | undefined,
): AsyncGenerator<string> {
  let columns: Column[] | undefined;
  let widths: number[] | undefined;
  for await (const { results } of pages) {
    columns ??= COLUMNS.filter(({ ifIncluded }) => !ifIncluded || results[0]?.[ifIncluded] !== undefined);
    const shown = columns;
    const rows = results.map((client) => shown.map((column) => printable(column.text(client))));
    if (!widths) {
      widths = columnWidths(shown, rows, terminal);
      const titles = line(
        shown.map(({ title }) => title),
        widths,
        terminal,
      );
      yield terminal?.colour ? `\x1b[1m${titles}\x1b[22m\n` : `${titles}\n`;
      yield `${widths.map((width) => '─'.repeat(width)).join(GAP)}\n`;
    }
    const fixed = widths;
    yield rows.map((row) => `${line(row, fixed, terminal)}\n`).join('');
  }
}

function line(cells: string[], widths: number[], terminal: Terminal | undefined): string {
  return cells
    .map((cell, index) => {
      const width = widths[index] ?? 0;
      return pad(terminal ? cut(cell, width) : cell, width);
    })
    .join(GAP)
    .trimEnd();
}

function columnWidths(columns: Column[], rows: string[][], terminal: Terminal | undefined): number[] {
  const widths = columns.map(({ title }, index) =>
    Math.max(title.length, ...rows.map((row) => widthOf(row[index] ?? ''))),
  );
  const gaps = GAP.length * (widths.length - 1);
  const total = () => widths.reduce((sum, width) => sum + width, gaps);
  while (terminal && total() > terminal.columns) {
    const flexible = columns.map(({ flexible }, index) => (flexible ? (widths[index] ?? 0) : 0));
    const widest = Math.max(...flexible);
    if (widest <= NARROWEST) break;
    widths[flexible.indexOf(widest)] = widest - 1;
  }
  return widths;
}
