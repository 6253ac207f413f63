import { type Static, Type } from 'typebox';
import { IMPORT_STATES } from '../../../domain/clients/import-state.ts';
import { ENCODINGS } from '../../../files/decode.ts';
import { Form, Nullable, Time } from '../fields.ts';

export const FILE_NAME_MAX_LENGTH = 300;

/** The media type of every uploaded file. Browsers know that of a CSV file by different names, so its name says what it is. */
export const UPLOAD_TYPE = 'application/octet-stream';

export const UploadQuery = Form({
  file_name: Type.Optional(Type.String({ maxLength: FILE_NAME_MAX_LENGTH })),
  encoding: Type.Optional(Type.Enum([...ENCODINGS])),
  dry_run: Type.Optional(Type.Enum(['true', 'false'])),
});
export type UploadQuery = Static<typeof UploadQuery>;

export const ImportRecord = Form({
  import_id: Type.String(),
  file_name: Type.String(),
  state: Type.Enum([...IMPORT_STATES]),
  dry_run: Type.Boolean(),
  created_at: Time,
  ended_at: Nullable(Time),
  rows_read: Type.Integer(),
  inserted: Type.Integer(),
  updated: Type.Integer(),
  unchanged: Type.Integer(),
  rejected: Type.Integer(),
  /** Why it failed. */
  reason: Nullable(Type.String()),
});
export type ImportRecord = Static<typeof ImportRecord>;

export const ImportDetail = Form({
  import: ImportRecord,
  /** The first of the rejected rows. */
  rejected: Type.Array(Form({ line: Type.Integer(), reason: Type.String() })),
});
export type ImportDetail = Static<typeof ImportDetail>;

export const LatestImports = Form({ results: Type.Array(ImportRecord) });
export type LatestImports = Static<typeof LatestImports>;
