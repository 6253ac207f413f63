import type { Client } from '../generated/api.ts';
import type { PrintedPage } from './printed-page.ts';

const COLUMNS = [
  'reference_id',
  'email',
  'client_name',
  'client_type',
  'group_name',
  'group_token',
  'request_status',
  'client_status',
  'created_at',
] as const satisfies (keyof Client)[];

/** Columns that are there only if they were asked for. */
const INCLUDABLE = ['external_id', 'updated_at'] as const satisfies (keyof Client)[];

/** Without any client, it cannot be seen which further columns were asked for, and so there are none. */
export async function* formatCsv(pages: AsyncIterable<PrintedPage>): AsyncGenerator<string> {
  let columns: (keyof Client)[] | undefined;
  for await (const { results } of pages) {
    const [first] = results;
    if (!columns) {
      columns = [...COLUMNS, ...INCLUDABLE.filter((column) => first?.[column] !== undefined)];
      yield `${columns.join(',')}\n`;
    }
    const shown = columns;
    yield results.map((client) => `${shown.map((column) => cell(client[column] ?? '')).join(',')}\n`).join('');
  }
}

/**
 * A spreadsheet runs text that begins like a formula, so such text gets an apostrophe in front, even if it already begins
 * with one: `rollcall import` removes exactly one again.
 */
function cell(value: string): string {
  const escaped = /^'*[=+\-@\t\r＝＋－＠]/.test(value) ? `'${value}` : value;
  return /[",;\t\r\n]/.test(escaped) ? `"${escaped.replaceAll('"', '""')}"` : escaped;
}
