// The first rows of a file of clients are shown before it is sent. They are read in the browser, by the same code as in the service.
export type { SourceRow } from '../../../domain/clients/parse-row.ts';
export { type Encoding, WrongEncoding } from '../../../files/decode.ts';
export { formatOf, readClients } from '../../../files/read-clients.ts';
