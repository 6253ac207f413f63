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
 * A spreadsheet runs what begins like a formula, and names are chosen by strangers: those get an apostrophe, also behind
 * apostrophes of their own, so that `rollcall import` can take it off again.
 */
function cell(value: string): string {
  const harmless = /^'*[=+\-@\t\r＝＋－＠]/.test(value) ? `'${value}` : value;
  return /[",;\t\r\n]/.test(harmless) ? `"${harmless.replaceAll('"', '""')}"` : harmless;
}
