// The first rows of a file of clients are shown before it is sent. They are read in the browser, by the same code as in the service.
export {
  COLUMNS,
  type Column,
  FILLABLE_COLUMNS,
  type Fields,
  type FillableColumn,
  type FilledColumns,
  REQUIRED_COLUMNS,
} from '../../../domain/clients/client-columns.ts';
export { DATE_FORMS, type DateForm } from '../../../domain/clients/date-form.ts';
export { type CellReading, parseRow, problemsIn } from '../../../domain/clients/parse-row.ts';
export { STATUS_FIELDS } from '../../../domain/clients/status-change-counts.ts';
export {
  findWord,
  isWordColumn,
  toValueMapping,
  type WordColumn,
} from '../../../domain/clients/value-mapping.ts';
export { type Encoding, WrongEncoding } from '../../../files/decode.ts';
export { type FilePreview, previewText, toSourceRow } from '../../../files/preview-file.ts';
export { formatOf } from '../../../files/read-clients.ts';
export { suggestFields } from '../../../files/suggest-fields.ts';
