import type { ImportRequest } from '../domain/clients/import-job.ts';
import type { SourceRow } from '../domain/clients/parse-row.ts';
import type { Encoding } from './decode.ts';
import { type Format, readClients } from './read-clients.ts';
import { unpack } from './unpack.ts';

/** Reads the rows of a file as its import asks for. It may be packed with gzip. */
export function readImport(
  bytes: AsyncIterable<Uint8Array>,
  { format, encoding, mapping, ignoresUnknown }: ImportRequest,
): AsyncIterable<SourceRow> {
  return readClients(unpack(bytes), format as Format, encoding as Encoding | undefined, { mapping, ignoresUnknown });
}
