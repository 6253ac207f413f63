import type { Client } from '../generated/api.ts';
import { formatCsv } from './format-csv.ts';
import { formatTable } from './format-table.ts';
import type { PrintedPage } from './printed-page.ts';
import type { Terminal } from './process-io.ts';

/** Turns pages into text as they arrive, without waiting for the last one. */
export type Format = (pages: AsyncIterable<PrintedPage>, terminal: Terminal | undefined) => AsyncGenerator<string>;

export const FORMATS = { table: formatTable, csv: formatCsv, ndjson: formatNdjson, json: formatJson } satisfies Record<
  string,
  Format
>;
export type FormatName = keyof typeof FORMATS;

async function* formatNdjson(pages: AsyncIterable<PrintedPage>): AsyncGenerator<string> {
  for await (const { results } of pages) yield results.map((client) => `${JSON.stringify(client)}\n`).join('');
}

async function* formatJson(pages: AsyncIterable<PrintedPage>): AsyncGenerator<string> {
  const indented = (client: Client) => `\n  ${JSON.stringify(client)}`;
  let separator = '[';
  for await (const { results } of pages) {
    if (results.length === 0) continue;
    yield `${separator}${results.map(indented).join(',')}`;
    separator = ',';
  }
  yield separator === '[' ? '[]\n' : '\n]\n';
}
