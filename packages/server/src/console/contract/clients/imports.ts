import { type Static, Type } from 'typebox';
import { CLIENT_TYPES } from '../../../domain/clients/client.ts';
import { COLUMNS, type Column } from '../../../domain/clients/client-columns.ts';
import { DATE_FORMS } from '../../../domain/clients/date-form.ts';
import { GROUP_NAME_MAX_LENGTH } from '../../../domain/clients/group.ts';
import { CLIENTS_KEPT_MAX, IMPORT_STATES, REJECTED_CELL_MAX_LENGTH } from '../../../domain/clients/import-state.ts';
import { REQUEST_STATUSES } from '../../../domain/clients/request-status.ts';
import { STATUS_FIELDS } from '../../../domain/clients/status-change-counts.ts';
import { TIME_ZONE_MAX_LENGTH } from '../../../domain/clients/time-zone.ts';
import { VALUE_MAX_LENGTH, VALUES_MAX } from '../../../domain/clients/value-mapping.ts';
import { ENCODINGS } from '../../../files/decode.ts';
import { COLUMNS_MAX } from '../../../files/preview-file.ts';
import { ByKey, Form, Nullable, Time } from '../fields.ts';
import { ClientRecord } from './clients.ts';

export const FILE_NAME_MAX_LENGTH = 300;

const IMPORT_ID_MAX_LENGTH = 100;

/** The media type of every uploaded file. Browsers know that of a CSV file by different names, so its name says what it is. */
export const UPLOAD_TYPE = 'application/octet-stream';

/** As long as all values together can be. */
const VALUES_TEXT_MAX_LENGTH = VALUES_MAX * (VALUE_MAX_LENGTH + 30);

export const UploadQuery = Form({
  file_name: Type.Optional(Type.String({ maxLength: FILE_NAME_MAX_LENGTH })),
  encoding: Type.Optional(Type.Enum([...ENCODINGS])),
  dry_run: Type.Optional(Type.Enum(['true', 'false'])),
  /** The check that was made only because an import should follow it. It is removed, so that it is not listed beside this one. */
  replaces: Type.Optional(Type.String({ maxLength: IMPORT_ID_MAX_LENGTH })),
  /** Whether clients that exist keep their statuses. */
  keep_status: Type.Optional(Type.Enum(['true', 'false'])),
  /** What each column of the file is, in their order. Without it, their names say what they are. */
  columns: Type.Optional(Type.Array(Type.Enum([...COLUMNS, 'none']), { maxItems: COLUMNS_MAX })),
  /** How its dates are written. */
  dates: Type.Optional(Type.Enum([...DATE_FORMS])),
  /** Of dates and times without an offset. */
  time_zone: Type.Optional(Type.String({ maxLength: TIME_ZONE_MAX_LENGTH })),
  /** Which words the values of its columns mean, as `field:value:word`, one on each line. */
  values: Type.Optional(Type.String({ maxLength: VALUES_TEXT_MAX_LENGTH })),
  // What all rows have, if the columns that were chosen do not have it.
  client_type: Type.Optional(Type.Enum([...CLIENT_TYPES])),
  group_name: Type.Optional(Type.String({ maxLength: GROUP_NAME_MAX_LENGTH })),
  request_status: Type.Optional(Type.Enum([...REQUEST_STATUSES])),
});
export type UploadQuery = Static<typeof UploadQuery>;

/** The lines of the first 10 rows. Missing in answers of an earlier version. */
const Lines = Type.Optional(Type.Array(Type.Integer()));

/** How many rows changed a status of clients that existed, or would in a check. */
const StatusChange = Form({
  field: Type.Enum([...STATUS_FIELDS]),
  from: Type.String(),
  to: Type.String(),
  rows: Type.Integer(),
  lines: Lines,
});
export type StatusChange = Static<typeof StatusChange>;

/** How many rows moved clients that existed to another group, and which groups were made, or would be in a check. */
const GroupChanges = Form({
  moves: Type.Array(Form({ from: Type.String(), to: Type.String(), rows: Type.Integer(), lines: Lines })),
  /** How many rows are about other moves than these. */
  other_moves: Type.Integer(),
  new_groups: Type.Array(Type.String()),
  /** How many more groups were made. */
  other_new_groups: Type.Integer(),
});
export type GroupChanges = Static<typeof GroupChanges>;

/** How many rows did something, or would in a check, and the lines of the first 10. */
const CountedRows = Form({ rows: Type.Integer(), lines: Type.Array(Type.Integer()) });
export type CountedRows = Static<typeof CountedRows>;

/** What an import does to clients, beside its numbers, or would in a check. */
export const ImportEffects = Form({
  /** Missing in answers of an earlier version. */
  status_changes: Type.Optional(Type.Array(StatusChange)),
  group_changes: Type.Optional(GroupChanges),
  /** Those that gave a client that they recognise by an id another email. */
  email_changes: Type.Optional(CountedRows),
  /** Those that added a client although a client of another group had its email. */
  emails_elsewhere: Type.Optional(CountedRows),
  /** Those that changed a client that an earlier row of the file had added or changed. */
  repeats: Type.Optional(CountedRows),
});
export type ImportEffects = Static<typeof ImportEffects>;

export const ImportRecord = Form({
  import_id: Type.String(),
  file_name: Type.String(),
  state: Type.Enum([...IMPORT_STATES]),
  dry_run: Type.Boolean(),
  /** Missing in answers of an earlier version, during an upgrade. */
  keep_status: Type.Optional(Type.Boolean()),
  /** Who has started it: the email of a member, the id of an API key, or `operator`. */
  started_by: Type.String(),
  by_key: ByKey,
  created_at: Time,
  started_at: Nullable(Time),
  ended_at: Nullable(Time),
  rows_read: Type.Integer(),
  rows_per_second: Type.Integer(),
  /** How much of the file has been read, from 0 to 100, or null if that is not known. */
  percent_read: Nullable(Type.Integer()),
  /** How long it will probably take, or null if that is not known. */
  seconds_left: Nullable(Type.Integer()),
  inserted: Type.Integer(),
  updated: Type.Integer(),
  unchanged: Type.Integer(),
  rejected: Type.Integer(),
  ...ImportEffects.properties,
  /** Why it failed. */
  reason: Nullable(Type.String()),
});
export type ImportRecord = Static<typeof ImportRecord>;

export const ImportDetail = Form({
  import: ImportRecord,
  /** Why rows were rejected, each reason once with the first lines that it was found in, and the number of rows; when it is over. */
  rejected: Type.Array(
    Form({
      /** The first of the lines, which are missing in answers of an earlier version. */
      line: Type.Integer(),
      lines: Type.Optional(Type.Array(Type.Integer())),
      reason: Type.String(),
      rows: Type.Integer(),
    }),
  ),
  /** How many of the clients that it has added or changed are kept and still exist. Missing in answers of an earlier version. */
  clients: Type.Optional(Type.Integer()),
});
export type ImportDetail = Static<typeof ImportDetail>;

export const IMPORT_CLIENTS_PER_PAGE = 20;

export { CLIENTS_KEPT_MAX };

export const ImportClientsQuery = Form({ page: Type.Optional(Type.Integer({ minimum: 1, maximum: 1000 })) });

/** The clients that an import has added or changed, as they are now. */
export const ImportClients = Form({
  results: Type.Array(Form({ client: ClientRecord, is_added: Type.Boolean() })),
});
export type ImportClients = Static<typeof ImportClients>;

export const ImportsQuery = Form({ page: Type.Optional(Type.Integer({ minimum: 1, maximum: 10_000 })) });

/** Newest first. */
export const LatestImports = Form({
  results: Type.Array(ImportRecord),
  /** Whether there are older ones. */
  has_more: Type.Boolean(),
});
export type LatestImports = Static<typeof LatestImports>;

/** The beginning of a workbook, which browsers cannot read. */
export const PreviewRecord = Form({
  columns: Type.Array(Type.String()),
  rows: Type.Array(
    Form({ line: Type.Integer(), cells: Type.Array(Type.String()), problem: Type.Optional(Type.String()) }),
  ),
  total: Type.Integer(),
  dates: Type.Array(Nullable(Type.Enum([...DATE_FORMS]))),
  mixed_dates: Type.Array(Nullable(Type.Array(Type.String()))),
  values: Type.Array(Nullable(Type.Array(Type.String()))),
  /** The sheet that is read, with the number of the others. Missing in answers of an earlier version. */
  sheet: Type.Optional(Form({ name: Type.String(), others: Type.Integer() })),
});
export type PreviewRecord = Static<typeof PreviewRecord>;

export { REJECTED_CELL_MAX_LENGTH };

const Cell = Type.Optional(Type.String({ maxLength: REJECTED_CELL_MAX_LENGTH }));
const Cells = Form(Object.fromEntries(COLUMNS.map((column) => [column, Cell])) as Record<Column, typeof Cell>);

export const RejectsQuery = Form({ page: Type.Optional(Type.Integer({ minimum: 1, maximum: 1000 })) });

export const RejectedRow = Form({
  row_number: Type.Integer(),
  line: Type.Integer(),
  reason: Type.String(),
  cells: Cells,
  /** The beginning of a row that could not be split into cells, also after it was corrected. */
  raw: Nullable(Type.String()),
  /** The cells for which there is no column. Missing in answers of an earlier version. */
  surplus: Type.Optional(Nullable(Type.String())),
  /** Another one as soon as the cells are others. */
  fingerprint: Type.String(),
});
export type RejectedRow = Static<typeof RejectedRow>;

export const RejectsPage = Form({
  results: Type.Array(RejectedRow),
  /**
   * How the import reads cells, so that a page can tell what is still wrong with a row. The values are `field:value:word` each.
   * Missing in answers of an earlier version.
   */
  reading: Type.Optional(Form({ dates: Type.Optional(Type.Enum([...DATE_FORMS])), values: Type.Array(Type.String()) })),
  /** How many rows are still rejected and kept. */
  total_count: Type.Integer(),
});
export type RejectsPage = Static<typeof RejectsPage>;

export const REJECTS_PER_PAGE = 20;

/** How many rows can be corrected with one request. */
export const CORRECTIONS_MAX = 100;

export const CorrectionForm = Form({
  rows: Type.Array(
    Form({
      row_number: Type.Integer({ minimum: 1, maximum: Number.MAX_SAFE_INTEGER }),
      /** The fingerprint of the row that the member saw. A row that has changed in the meantime stays as it is. */
      seen: Type.String({ maxLength: 100 }),
      cells: Cells,
    }),
    { maxItems: CORRECTIONS_MAX },
  ),
  /** Whether nothing is done if a member should know before what the rows would do. */
  asks: Type.Optional(Type.Boolean()),
});
export type CorrectionForm = Static<typeof CorrectionForm>;

export const CorrectionAnswer = Form({
  inserted: Type.Integer(),
  updated: Type.Integer(),
  unchanged: Type.Integer(),
  rejected: Type.Integer(),
  /** Those that are still rejected, with another reason perhaps, in the order of the file. */
  still_rejected: Type.Array(Form({ row_number: Type.Integer(), line: Type.Integer(), reason: Type.String() })),
  /** The page of the rejected rows that has the first of them; the first page if there are none. */
  page: Type.Integer(),
  /** How many were corrected by somebody else before, or erased, and were left as they are. */
  gone: Type.Integer(),
  /** Nothing was done yet, because of what the rows would do. */
  asked: Type.Optional(ImportEffects),
});
export type CorrectionAnswer = Static<typeof CorrectionAnswer>;
