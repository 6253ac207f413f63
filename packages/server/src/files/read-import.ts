import type { ImportRequest } from '../domain/clients/import-job.ts';
import type { SourceRow } from '../domain/clients/parse-row.ts';
import type { Encoding } from './decode.ts';
import { type Format, readClients } from './read-clients.ts';

/** Reads the rows of a file as its import asks for. */
export function readImport(
  bytes: AsyncIterable<Uint8Array>,
  { format, encoding, mapping, ignoresUnknown }: ImportRequest,
): AsyncIterable<SourceRow> {
  return readClients(bytes, format as Format, encoding as Encoding | undefined, { mapping, ignoresUnknown });
}
