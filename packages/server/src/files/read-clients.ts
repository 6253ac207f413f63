import type { SourceRow } from '../domain/clients/parse-row.ts';
import { ColumnNames, type ColumnOptions } from './columns.ts';
import { decode, type Encoding } from './decode.ts';
import { readCsv } from './read-csv.ts';
import { readNdjson } from './read-ndjson.ts';

export const FORMATS = ['csv', 'ndjson'] as const;
export type Format = (typeof FORMATS)[number];

/** Reads the rows of a file that is in UTF-8 or has a byte order mark, unless another encoding is named. */
export function readClients(
  source: AsyncIterable<Uint8Array>,
  format: Format,
  encoding?: Encoding,
  columns?: ColumnOptions,
): AsyncGenerator<SourceRow> {
  const texts = decode(source, encoding);
  const names = new ColumnNames(columns);
  return format === 'csv' ? readCsv(texts, names) : readNdjson(texts, names);
}

/** The format that the file name ends in, before the ending of a packed file, or CSV. */
export function formatOf(fileName: string): Format {
  return /\.(ndjson|jsonl)(\.gz)?$/i.test(fileName) ? 'ndjson' : 'csv';
}
