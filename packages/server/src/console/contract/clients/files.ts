// Files of clients are read in the browser, by the same code as on the command line, and sent as rows.
export type { SourceRow } from '../../../domain/clients/parse-row.ts';
export { type Encoding, WrongEncoding } from '../../../files/decode.ts';
export { formatOf, readClients } from '../../../files/read-clients.ts';
export { rejectedRowLine, rejectedRowsHeader } from '../../../files/write-rejected-rows.ts';
