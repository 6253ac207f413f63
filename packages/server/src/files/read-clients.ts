import type { SourceRow } from '../domain/import-clients.ts';
import { readCsv } from './read-csv.ts';
import { readNdjson } from './read-ndjson.ts';

export const FORMATS = ['csv', 'ndjson'] as const;
export type Format = (typeof FORMATS)[number];

export function readClients(source: AsyncIterable<Uint8Array>, format: Format): AsyncGenerator<SourceRow> {
  const texts = decode(source);
  return format === 'csv' ? readCsv(texts) : readNdjson(texts);
}

/** What the name says, or CSV. */
export function formatOf(fileName: string): Format {
  return /\.(ndjson|jsonl)$/i.test(fileName) ? 'ndjson' : 'csv';
}

/** A byte order mark is passed over; bytes that are not UTF-8 become U+FFFD, which no field accepts. */
async function* decode(source: AsyncIterable<Uint8Array>): AsyncGenerator<string> {
  const decoder = new TextDecoder('utf-8');
  for await (const bytes of source) yield decoder.decode(bytes, { stream: true });
  yield decoder.decode();
}
