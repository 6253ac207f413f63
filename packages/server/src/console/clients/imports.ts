import type { RecordDeps } from '../../domain/change.ts';
import { FILLABLE_COLUMNS, type FilledColumns } from '../../domain/clients/client-columns.ts';
import { toRecord } from '../../domain/clients/client-record.ts';
import { recordRejectsExport } from '../../domain/clients/export-clients.ts';
import { requireGroupName } from '../../domain/clients/group.ts';
import { type ImportRequest, isOver } from '../../domain/clients/import-job.ts';
import { cancelImportIn, findImport, removeCheck } from '../../domain/clients/manage-imports.ts';
import { type StartImportDeps, startImport, Uploads } from '../../domain/clients/store-import.ts';
import { requireTimeZone } from '../../domain/clients/time-zone.ts';
import { toValueMapping } from '../../domain/clients/value-mapping.ts';
import { Failure } from '../../domain/failure.ts';
import { inBackground } from '../../domain/members/index.ts';
import { toFields } from '../../files/columns.ts';
import { importFormatOf } from '../../files/read-import.ts';
import { rejectedRowsName, rejectedRowsOf } from '../../files/rejected-rows-of.ts';
import { bodyStream } from '../../http/body-stream.ts';
import { refuseEmpty } from '../../http/query.ts';
import {
  IMPORT_CLIENTS_PER_PAGE,
  ImportClients,
  ImportClientsQuery,
  ImportDetail,
  ImportRecord,
  ImportsQuery,
  LatestImports,
  UPLOAD_TYPE,
  UploadQuery,
} from '../contract/clients/imports.ts';
import { Form } from '../contract/fields.ts';
import { type ConsoleRoute, fileRoute, workspaceRoute } from '../define-route.ts';
import type { FileTimeouts } from '../file-stream.ts';
import { forSpreadsheets } from '../for-spreadsheets.ts';
import { type ImportRecordDeps, toImportRecord, toImportRecords } from './import-record.ts';

const PATH = '/console/:environment/imports';
const IMPORTS_PER_PAGE = 10;
const REASONS_SHOWN = 20;

interface ImportsDeps extends StartImportDeps, RecordDeps, ImportRecordDeps {
  importMaxBytes: number;
  fileTimeouts: FileTimeouts;
  /** Called when an import was stored. */
  onImportStored(): void;
}

export const importRoutes = (deps: ImportsDeps): ConsoleRoute[] => [
  uploadRoute(deps),

  workspaceRoute({
    methods: ['GET'],
    path: PATH,
    role: 'viewer',
    query: ImportsQuery,
    data: LatestImports,
    handle: async ({ workspaceId, query: { page = 1 } }) => {
      const offset = (page - 1) * IMPORTS_PER_PAGE;
      const jobs = await deps.imports.latest(workspaceId, { offset, limit: IMPORTS_PER_PAGE + 1 });
      return {
        results: await toImportRecords(deps, workspaceId, jobs.slice(0, IMPORTS_PER_PAGE)),
        has_more: jobs.length > IMPORTS_PER_PAGE,
      };
    },
  }),

  workspaceRoute({
    methods: ['GET'],
    path: `${PATH}/:importId`,
    role: 'viewer',
    data: ImportDetail,
    handle: async ({ workspaceId, parameter }) => {
      const job = await findImport(deps, workspaceId, parameter('importId'));
      const reasons = isOver(job) ? await deps.imports.rejectReasons(workspaceId, job.id, REASONS_SHOWN) : [];
      const rejected = reasons.map((each) => ({ ...each, line: each.lines[0] ?? 0 }));
      const clients = isOver(job) ? await deps.imports.countClients(workspaceId, job.id) : 0;
      return { import: await toImportRecord(deps, job), rejected, clients };
    },
  }),

  workspaceRoute({
    methods: ['GET'],
    path: `${PATH}/:importId/clients`,
    role: 'viewer',
    query: ImportClientsQuery,
    data: ImportClients,
    handle: async ({ workspaceId, parameter, query: { page = 1 } }) => {
      const { id } = await findImport(deps, workspaceId, parameter('importId'));
      const slice = { offset: (page - 1) * IMPORT_CLIENTS_PER_PAGE, limit: IMPORT_CLIENTS_PER_PAGE };
      const clients = await deps.imports.clientsPage(workspaceId, id, slice);
      return { results: clients.map(({ client, isAdded }) => ({ client: toRecord(client), is_added: isAdded })) };
    },
  }),

  workspaceRoute({
    methods: ['DELETE'],
    path: `${PATH}/:importId`,
    role: 'admin',
    data: ImportRecord,
    handle: async ({ actor, workspaceId, parameter }) => {
      const id = parameter('importId');
      const context = { workspaceId, actor, at: deps.clock.now() };
      const job = await deps.changeWorkspace(context, (change) => cancelImportIn(change, id));
      // What remains if this fails is removed later.
      await deps.imports.removePieces(workspaceId, id).catch(() => {});
      return toImportRecord(deps, job);
    },
  }),

  fileRoute({
    path: `${PATH}/:importId/rejects.csv`,
    role: 'viewer',
    proofTo: 'download rejected rows',
    body: Form({}),
    timeouts: deps.fileTimeouts,
    handle: async ({ actor, workspaceId, environment, parameter }) => {
      const { id, request } = await findImport(deps, workspaceId, parameter('importId'));
      await recordRejectsExport(deps, actor, environment, request.name);
      const content = forSpreadsheets(rejectedRowsOf(deps.imports, workspaceId, id));
      return { name: rejectedRowsName(request.name), type: 'text/csv; charset=utf-8', content, close: async () => {} };
    },
  }),
];

/** The service imports the file, so closing the browser changes nothing. */
function uploadRoute(deps: ImportsDeps): ConsoleRoute {
  const uploads = new Uploads();
  return workspaceRoute({
    methods: ['POST'],
    path: PATH,
    role: 'admin',
    query: UploadQuery,
    streamedBody: { maxBytes: deps.importMaxBytes, types: [UPLOAD_TYPE], codings: [] },
    data: ImportRecord,
    handle: ({ actor, workspaceId, request, query, queryString }) =>
      uploads.run(actor.accountId, async () => {
        refuseEmpty(queryString, [
          'dry_run',
          'replaces',
          'keep_status',
          'columns',
          'dates',
          'time_zone',
          'values',
          ...FILLABLE_COLUMNS,
        ]);
        const fileRequest = toRequest(query);
        const bytes = bodyStream(request, deps.importMaxBytes);
        const runAs = inBackground(actor, 'admin');
        const job = await startImport(deps, { workspaceId, actor }, fileRequest, bytes, runAs);
        deps.onImportStored();
        // If this fails, the check is listed for as long as the import.
        if (query.replaces) await removeCheck(deps, { workspaceId, actor }, query.replaces).catch(() => {});
        return toImportRecord(deps, job);
      }),
  });
}

function toRequest(query: UploadQuery): ImportRequest {
  const { file_name = 'unnamed file', encoding, dry_run, keep_status, columns, dates, time_zone, values } = query;
  const filled = toFilled(query);
  if (filled && !columns) throw new Failure('bad_parameter', `${Object.keys(filled)[0]} requires columns.`);
  return {
    name: file_name,
    format: importFormatOf(file_name),
    encoding,
    dryRun: dry_run === 'true',
    keepsStatus: keep_status === 'true',
    mapping: {},
    ignoresUnknown: false,
    fields: columns && toFields(columns, filled),
    filled,
    dates,
    timeZone: time_zone && requireTimeZone(time_zone),
    values: toValueMapping(values?.split('\n') ?? []),
  };
}

function toFilled({ group_name: group, ...query }: UploadQuery): FilledColumns | undefined {
  const given: FilledColumns = { ...query, ...(group !== undefined && { group_name: requireGroupName(group) }) };
  const filled = FILLABLE_COLUMNS.flatMap((column) => (given[column] === undefined ? [] : [[column, given[column]]]));
  return filled.length > 0 ? Object.fromEntries(filled) : undefined;
}
