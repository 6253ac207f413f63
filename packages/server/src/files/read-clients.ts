import type { SourceRow } from '../domain/clients/import-clients.ts';
import { decode, type Encoding } from './decode.ts';
import { readCsv } from './read-csv.ts';
import { readNdjson } from './read-ndjson.ts';

export const FORMATS = ['csv', 'ndjson'] as const;
export type Format = (typeof FORMATS)[number];

/** Of a file in UTF-8 or with a byte order mark, unless another encoding is named. */
export function readClients(
  source: AsyncIterable<Uint8Array>,
  format: Format,
  encoding?: Encoding,
): AsyncGenerator<SourceRow> {
  const texts = decode(source, encoding);
  return format === 'csv' ? readCsv(texts) : readNdjson(texts);
}

/** What the name says, or CSV. */
export function formatOf(fileName: string): Format {
  return /\.(ndjson|jsonl)$/i.test(fileName) ? 'ndjson' : 'csv';
}
