import type { FilledColumns } from '../domain/clients/client-columns.ts';
import type { ImportRequest } from '../domain/clients/import-job.ts';
import { type SourceRow, withFilled } from '../domain/clients/parse-row.ts';
import { ColumnNames } from './columns.ts';
import type { Encoding } from './decode.ts';
import { FORMATS, type Format, formatOf, readClients } from './read-clients.ts';
import { readSpreadsheet } from './read-spreadsheet.ts';
import { unpack } from './unpack.ts';

/** The formats that a file may have that is read here and not in a browser. */
export const IMPORT_FORMATS = [...FORMATS, 'xlsx'] as const;
export type ImportFormat = (typeof IMPORT_FORMATS)[number];

/** Reads the rows of a file as its import asks for. It may be packed with gzip. Waiting ends when the signal is aborted. */
export function readImport(
  bytes: AsyncIterable<Uint8Array>,
  request: ImportRequest,
  signal?: AbortSignal,
): AsyncIterable<SourceRow> {
  const rows = readRows(bytes, request, signal);
  return request.filled ? fillRows(rows, request.filled) : rows;
}

async function* fillRows(rows: AsyncIterable<SourceRow>, filled: FilledColumns): AsyncGenerator<SourceRow> {
  for await (const row of rows) yield withFilled(row, filled);
}

function readRows(
  bytes: AsyncIterable<Uint8Array>,
  { format, encoding, mapping, ignoresUnknown, fields }: ImportRequest,
  signal: AbortSignal | undefined,
): AsyncIterable<SourceRow> {
  const columns = { mapping, ignoresUnknown, fields };
  const unpacked = untilAborted(unpack(bytes), signal);
  if (format === 'xlsx') return readSpreadsheet(unpacked, new ColumnNames(columns), signal);
  return readClients(unpacked, format as Format, encoding as Encoding | undefined, columns);
}

/** A small file can be unpacked to gigabytes that have no row, so the signal is asked about every chunk. */
async function* untilAborted(
  bytes: AsyncIterable<Uint8Array>,
  signal: AbortSignal | undefined,
): AsyncGenerator<Uint8Array> {
  for await (const chunk of bytes) {
    signal?.throwIfAborted();
    yield chunk;
  }
}

/** The format that the file name ends in, or CSV. */
export function importFormatOf(fileName: string): ImportFormat {
  return /\.xlsx$/i.test(fileName) ? 'xlsx' : formatOf(fileName);
}
