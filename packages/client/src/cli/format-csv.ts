import type { Client, ClientsPage } from '../generated/api.ts';

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

export async function* formatCsv(pages: AsyncIterable<ClientsPage>): AsyncGenerator<string> {
  yield `${COLUMNS.join(',')}\n`;
  for await (const { results } of pages) yield results.map(toLine).join('');
}

function toLine(client: Client): string {
  return `${COLUMNS.map((column) => cell(client[column])).join(',')}\n`;
}

/**
 * A spreadsheet runs text that begins like a formula, so such text gets an apostrophe in front, even if it already begins
 * with one: `rollcall import` removes exactly one again.
 */
function cell(value: string): string {
  const escaped = /^'*[=+\-@\t\r＝＋－＠]/.test(value) ? `'${value}` : value;
  return /[",;\t\r\n]/.test(escaped) ? `"${escaped.replaceAll('"', '""')}"` : escaped;
}
