import { Readable } from 'node:stream';
import { type Static, Type } from 'typebox';
import type { ChangeAnswer } from '../../domain/clients/answer-once.ts';
import { toCountedRowsRecord } from '../../domain/clients/counted-rows.ts';
import { DATE_FORMS } from '../../domain/clients/date-form.ts';
import { toGroupChangesRecord } from '../../domain/clients/group-change-counts.ts';
import { ONLY_ROWS } from '../../domain/clients/import-clients.ts';
import type { ImportJob, ImportJobs, ImportRequest } from '../../domain/clients/import-job.ts';
import { paceOf } from '../../domain/clients/import-pace.ts';
import { IMPORT_STATES } from '../../domain/clients/import-state.ts';
import { cancelImportIn, findImport } from '../../domain/clients/manage-imports.ts';
import { STATUS_FIELDS, toStatusChangeRecord } from '../../domain/clients/status-change-counts.ts';
import { storeFile, Uploads } from '../../domain/clients/store-import.ts';
import { requireTimeZone, TIME_ZONE_MAX_LENGTH } from '../../domain/clients/time-zone.ts';
import { toValueMapping, VALUES_MAX } from '../../domain/clients/value-mapping.ts';
import { Failure } from '../../domain/failure.ts';
import { formatTime } from '../../domain/time.ts';
import { toMapping } from '../../files/columns.ts';
import { ENCODINGS, type Encoding } from '../../files/decode.ts';
import { formatOf } from '../../files/read-clients.ts';
import type { ImportFormat } from '../../files/read-import.ts';
import { rejectedRowsOf } from '../../files/rejected-rows-of.ts';
import type { StreamAnswer } from '../../http/answer.ts';
import { bodyStream } from '../../http/body-stream.ts';
import { refuseEmpty } from '../../http/query.ts';
import { type ApiContext, type ApiRoute, defineApiRoute, NO_PARAMETERS } from '../define-route.ts';
import {
  answerWrite,
  idempotencyKey,
  successAnswerOf,
  WRITE_HEADERS,
  WRITING_FAILURES,
  type WriteDeps,
} from './answer-write.ts';
import { withContractMessages } from './contract-messages.ts';
import { READING_FAILURES } from './reading-failures.ts';

const PATH = '/api/v1/clients-imports/';
const JOB_PATH = `${PATH}:import_id/`;

/** The formats of a file, by its media type. That of a packed file is found from its name. */
const FORMATS: Record<string, (fileName: string) => ImportFormat> = {
  'text/csv': () => 'csv',
  'application/x-ndjson': () => 'ndjson',
  'application/gzip': formatOf,
  'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet': () => 'xlsx',
};

const ImportQuery = Type.Object(
  {
    dry_run: Type.Optional(
      Type.Enum(['true', 'false'], {
        default: 'false',
        description: 'Only check what the import would do, and change nothing.',
      }),
    ),
    only: Type.Optional(
      Type.Enum([...ONLY_ROWS], {
        description:
          '`insert`: clients that exist stay as they are. `update`: rows of clients that do not exist are rejected.',
      }),
    ),
    keep_status: Type.Optional(
      Type.Enum(['true', 'false'], {
        default: 'false',
        description: 'Clients that exist keep their `request_status` and `client_status`.',
      }),
    ),
    mapping: Type.Optional(
      Type.Array(Type.String({ examples: ['Full name:client_name'] }), {
        maxItems: 50,
        description: 'Which column of the file is which field, as `column:field`, separated by commas.',
      }),
    ),
    unknown_columns: Type.Optional(
      Type.Enum(['refuse', 'ignore'], {
        default: 'refuse',
        description: 'What to do with a file that has other columns.',
      }),
    ),
    dates: Type.Optional(
      Type.Enum([...DATE_FORMS], {
        default: 'iso',
        description:
          'How dates in `created_at` are written: `iso` as 2026-01-31, `day-first` as 31.01.2026 or 31/01/2026, `month-first` as 01/31/2026. What begins with the year is read in any case.',
      }),
    ),
    time_zone: Type.Optional(
      Type.String({
        default: 'UTC',
        maxLength: TIME_ZONE_MAX_LENGTH,
        description:
          'The time zone of dates and times in `created_at` that have no offset. A date is the beginning of the day there.',
        examples: ['Europe/Zurich'],
      }),
    ),
    values: Type.Optional(
      Type.Array(Type.String({ examples: ['client_type:Person:individual'] }), {
        maxItems: VALUES_MAX,
        description:
          'Which word of `client_type`, `request_status` or `client_status` a value of the file means, as `field:value:word`, separated by commas. Letter case does not matter.',
      }),
    ),
    file_name: Type.Optional(
      Type.String({
        maxLength: 200,
        description:
          'The name of the file, for the activity log. If its type is `application/gzip`, the name says what is in it: NDJSON if it ends in `.ndjson.gz` or `.jsonl.gz`, otherwise CSV.',
        examples: ['clients.csv'],
      }),
    ),
  },
  { additionalProperties: false },
);

const number = (description: string) => Type.Integer({ description, examples: [0] });
const time = (description: string) =>
  Type.Union([Type.Null(), Type.String({ format: 'date-time' })], {
    description,
    examples: ['2026-01-31T09:30:00.000Z'],
  });

const StatusChange = Type.Object(
  {
    field: Type.Enum([...STATUS_FIELDS]),
    from: Type.String({ examples: ['declined'] }),
    to: Type.String({ examples: ['pending'] }),
    rows: Type.Integer({ examples: [1] }),
    lines: Type.Array(Type.Integer({ examples: [3] })),
  },
  { additionalProperties: false },
);

const GroupChanges = Type.Object(
  {
    moves: Type.Array(
      Type.Object(
        {
          from: Type.String({ examples: ['North'] }),
          to: Type.String({ examples: ['South'] }),
          rows: Type.Integer({ examples: [1] }),
          lines: Type.Array(Type.Integer({ examples: [3] })),
        },
        { additionalProperties: false },
      ),
    ),
    other_moves: Type.Integer({ examples: [0] }),
    new_groups: Type.Array(Type.String({ examples: ['South'] })),
    other_new_groups: Type.Integer({ examples: [0] }),
  },
  {
    additionalProperties: false,
    description: 'Up to 20 moves of clients between groups, up to 10 new groups, and how many others.',
  },
);

const countedRows = (description: string) =>
  Type.Object(
    {
      rows: Type.Integer({ examples: [1] }),
      lines: Type.Array(Type.Integer({ examples: [3] })),
    },
    { additionalProperties: false, description },
  );

const ImportRecord = Type.Object(
  {
    import_id: Type.String({ description: 'The id of the import.', examples: ['imp_4ZmX2pQ9rT1bYw3k'] }),
    state: Type.Enum([...IMPORT_STATES], { description: 'Where it stands.' }),
    dry_run: Type.Boolean({ description: 'Whether it only checks the rows.', examples: [false] }),
    created_at: Type.String({
      format: 'date-time',
      description: 'When it was stored.',
      examples: ['2026-01-31T09:30:00.000Z'],
    }),
    started_at: time('When it began, or null.'),
    ended_at: time('When it ended, or null.'),
    rows_read: number('How many rows were read.'),
    rows_per_second: number('How many are read in a second.'),
    inserted: number('How many rows added a client.'),
    updated: number('How many rows changed a client.'),
    unchanged: number('How many rows changed nothing.'),
    rejected: number('How many rows were rejected.'),
    status_changes: Type.Array(StatusChange, {
      description: 'How many rows changed which status, and the first lines.',
    }),
    group_changes: GroupChanges,
    email_changes: countedRows('How many rows gave a client another email, and the first lines.'),
    emails_elsewhere: countedRows('How many rows added a client whose email another group has, and the first lines.'),
    repeats: countedRows('How many rows changed a client of an earlier row, and the first lines.'),
    reason: Type.Union([Type.Null(), Type.String()], {
      description: 'Why it failed, or null.',
      examples: ['line 1: the header is missing email.'],
    }),
  },
  { title: 'Import', description: 'An import of clients in the background.', additionalProperties: false },
);

const IMPORT_ID = {
  import_id: Type.String({ description: 'The id of the import.', examples: ['imp_4ZmX2pQ9rT1bYw3k'] }),
};
const NOT_FOUND = { 404: 'There is no such import.' };

export interface ImportsDeps extends WriteDeps {
  imports: ImportJobs;
  importMaxBytes: number;
  /** Called when an import was stored. */
  onImportStored(): void;
}

export const startImportRoute = (deps: ImportsDeps): ApiRoute => {
  const uploads = new Uploads();
  return defineApiRoute({
    methods: ['POST'],
    path: PATH,
    operationId: 'startImport',
    summary: 'Start import',
    description:
      'Stores a file of clients, which is then imported in the background. The file is CSV, NDJSON (both may be packed with gzip) or the first sheet of an Excel workbook, with the columns of an export. Importing it again adds nobody twice; if a client is in several rows, the last one counts.',
    access: { scope: 'clients:write' },
    query: ImportQuery,
    streamedBody: { maxBytes: deps.importMaxBytes, types: Object.keys(FORMATS), codings: ['gzip'] },
    data: ImportRecord,
    status: 202,
    requestHeaders: WRITE_HEADERS,
    headers: { Location: 'The path of the import.' },
    others: {
      ...WRITING_FAILURES,
      413: 'The file is larger than the service accepts.',
      415: 'The file has another type.',
    },
    handle: async (context) => {
      const { workspaceId, actor } = context;
      idempotencyKey(context);
      refuseEmpty(context.queryString, ['dry_run', 'only', 'keep_status', 'dates', 'time_zone', 'values']);
      const request = toImportRequest(context);
      return uploads.run(workspaceId, async () => {
        const bytes = bodyStream(context.request, deps.importMaxBytes);
        const { id, digest } = await storeFile(deps, { workspaceId, actor }, request, bytes);
        try {
          // The bytes are part of what the request asks for.
          context.body = { digest };
          return await answerWrite(deps, context, async ({ imports }) => startedAnswer(await imports.enqueue(id)));
        } finally {
          // Nothing is left to discard, unless the request failed or was answered before. What remains if this fails is removed
          // later.
          await deps.imports.discard(workspaceId, id).catch(() => {});
          deps.onImportStored();
        }
      });
    },
  });
};

export const readImportRoute = ({ imports, clock }: ImportsDeps): ApiRoute =>
  defineApiRoute({
    methods: ['GET'],
    path: JOB_PATH,
    operationId: 'getImport',
    summary: 'Get import',
    description: 'Where an import stands. It is kept for 30 days after its end.',
    access: { scope: 'clients:write' },
    query: NO_PARAMETERS,
    data: ImportRecord,
    pathParameters: IMPORT_ID,
    others: { ...READING_FAILURES, ...NOT_FOUND, 403: WRITING_FAILURES[403] },
    handle: async (context, succeed) => {
      const id = context.parameter('import_id');
      const job = await withContractMessages(() => findImport({ imports }, context.workspaceId, id));
      return succeed(toImportRecord(job, clock.now()));
    },
  });

export const cancelImportRoute = (deps: ImportsDeps): ApiRoute =>
  defineApiRoute({
    methods: ['DELETE'],
    path: JOB_PATH,
    operationId: 'cancelImport',
    summary: 'Cancel import',
    description: 'Ends an import that is queued or running. What it has imported so far stays.',
    access: { scope: 'clients:write' },
    query: NO_PARAMETERS,
    data: ImportRecord,
    pathParameters: IMPORT_ID,
    requestHeaders: WRITE_HEADERS,
    others: { ...WRITING_FAILURES, ...NOT_FOUND },
    handle: async (context) => {
      const id = context.parameter('import_id');
      const answer = await answerWrite(deps, context, async (change, now) => {
        const job = await cancelImportIn(change, id);
        return { answer: successAnswerOf(toImportRecord(job, now)) };
      });
      // What remains if this fails is removed later.
      await deps.imports.removePieces(context.workspaceId, id).catch(() => {});
      return answer;
    },
  });

export const readRejectsRoute = ({ imports }: ImportsDeps): ApiRoute =>
  defineApiRoute({
    methods: ['GET'],
    path: `${JOB_PATH}rejects/`,
    operationId: 'getImportRejects',
    summary: 'Get rejected rows',
    description:
      'The rows that the import has rejected so far, as CSV, with the line and the reason of each. Corrected, the file can be imported as it is.',
    access: { scope: 'clients:write' },
    query: NO_PARAMETERS,
    data: Type.String({ examples: ['email,client_name,…'] }),
    mediaType: 'text/csv',
    pathParameters: IMPORT_ID,
    others: { ...READING_FAILURES, ...NOT_FOUND, 403: WRITING_FAILURES[403] },
    handle: async ({ workspaceId, parameter }) => {
      const id = parameter('import_id');
      await withContractMessages(() => findImport({ imports }, workspaceId, id));
      const headers = [
        'Content-Type',
        'text/csv; charset=utf-8',
        'Content-Disposition',
        `attachment; filename="${id}-rejects.csv"`,
      ];
      const stream = Readable.from(rejectedRowsOf(imports, workspaceId, id), { objectMode: false });
      return { status: 200, headers, stream, close: async () => {} } satisfies StreamAnswer;
    },
  });

function startedAnswer(job: ImportJob): ChangeAnswer {
  const location = JOB_PATH.replace(':import_id', job.id);
  return { answer: successAnswerOf(toImportRecord(job, job.createdAt), 202, ['Location', location]) };
}

function toImportRequest({ query, request }: ApiContext<Static<typeof ImportQuery>>): ImportRequest {
  const [type = '', ...parameters] = (request.headers['content-type'] ?? '')
    .split(';')
    .map((each) => each.trim().toLowerCase());
  const charset = parameters
    .find((each) => each.startsWith('charset='))
    ?.slice('charset='.length)
    .replace(/^"|"$/g, '');
  return {
    name: query.file_name ?? 'unnamed file',
    format: FORMATS[type]?.(query.file_name ?? '') ?? 'csv',
    encoding: toEncoding(charset),
    dryRun: query.dry_run === 'true',
    only: query.only,
    keepsStatus: query.keep_status === 'true',
    mapping: toMapping(query.mapping ?? []),
    ignoresUnknown: query.unknown_columns === 'ignore',
    dates: query.dates,
    timeZone: query.time_zone && requireTimeZone(query.time_zone),
    values: toValueMapping(query.values ?? []),
  };
}

function toEncoding(charset: string | undefined): Encoding | undefined {
  if (charset === undefined) return undefined;
  const found = ENCODINGS.find((each) => each === charset);
  if (found) return found;
  throw new Failure('bad_parameter', `charset must be one of ${ENCODINGS.join(', ')}.`);
}

export function toImportRecord(job: ImportJob, now: number): Static<typeof ImportRecord> {
  const { startedAt, endedAt } = job;
  return {
    import_id: job.id,
    state: job.state,
    dry_run: job.request.dryRun,
    created_at: formatTime(job.createdAt),
    started_at: startedAt === null ? null : formatTime(startedAt),
    ended_at: endedAt === null ? null : formatTime(endedAt),
    rows_read: job.rowsRead,
    rows_per_second: paceOf(job, now).rowsPerSecond,
    inserted: job.inserted,
    updated: job.updated,
    unchanged: job.unchanged,
    rejected: job.rejected,
    status_changes: job.statusChanges.map(toStatusChangeRecord),
    group_changes: toGroupChangesRecord(job.groupChanges),
    email_changes: toCountedRowsRecord(job.emailChanges),
    emails_elsewhere: toCountedRowsRecord(job.emailsElsewhere),
    repeats: toCountedRowsRecord(job.repeats),
    reason: job.reason,
  };
}
