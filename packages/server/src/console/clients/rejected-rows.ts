import { type CorrectRejectsDeps, correctRejects, fingerprintOf } from '../../domain/clients/correct-rejects.ts';
import type { ImportJobs, NumberedRejection } from '../../domain/clients/import-job.ts';
import { findImport } from '../../domain/clients/manage-imports.ts';
import type { CellReading } from '../../domain/clients/parse-row.ts';
import {
  CorrectionAnswer,
  CorrectionForm,
  REJECTS_PER_PAGE,
  type RejectedRow,
  RejectsPage,
  RejectsQuery,
} from '../contract/clients/imports.ts';
import { type ConsoleRoute, workspaceRoute } from '../define-route.ts';
import { toEffectsRecord } from './import-record.ts';

const PATH = '/console/:environment/imports/:importId';

type RejectedRowsDeps = CorrectRejectsDeps & { imports: ImportJobs };

/** For those who may correct them. Like the list of clients, and unlike a file, they are not taken away, so reading is not recorded. */
export const rejectedRowsRoutes = (deps: RejectedRowsDeps): ConsoleRoute[] => [
  workspaceRoute({
    methods: ['GET'],
    path: `${PATH}/rejects`,
    role: 'admin',
    query: RejectsQuery,
    data: RejectsPage,
    handle: async ({ workspaceId, parameter, query: { page = 1 } }) => {
      const { id, request } = await findImport(deps, workspaceId, parameter('importId'));
      const offset = (page - 1) * REJECTS_PER_PAGE;
      const { rejects, total } = await deps.imports.rejectsPage(workspaceId, id, { offset, limit: REJECTS_PER_PAGE });
      return { results: rejects.map(toRecord), reading: toReading(request), total_count: total };
    },
  }),

  workspaceRoute({
    methods: ['POST'],
    path: `${PATH}/corrections`,
    role: 'admin',
    body: CorrectionForm,
    data: CorrectionAnswer,
    handle: async ({ actor, workspaceId, parameter, body }) => {
      const id = parameter('importId');
      const rows = body.rows.map(({ row_number: rowNumber, ...row }) => ({ rowNumber, ...row }));
      const asks = body.asks ?? false;
      const corrected = await correctRejects(deps, { workspaceId, actor }, id, rows, { asks });
      const { rejections, isAsked, ...summary } = corrected;
      const [first] = rejections;
      const before = first ? await deps.imports.countRejectsBefore(workspaceId, id, first.rowNumber) : 0;
      return {
        ...summary,
        still_rejected: rejections.map(({ rowNumber, row: { line }, reason }) => ({
          row_number: rowNumber,
          line,
          reason,
        })),
        page: Math.floor(before / REJECTS_PER_PAGE) + 1,
        ...(isAsked && { asked: toEffectsRecord(summary) }),
      };
    },
  }),
];

function toReading({ dates, values = {} }: CellReading): NonNullable<RejectsPage['reading']> {
  const entries = Object.entries(values).flatMap(([field, words]) =>
    Object.entries(words).map(([value, word]) => `${field}:${value}:${word}`),
  );
  return { ...(dates && { dates }), values: entries };
}

function toRecord({ rowNumber, row, reason }: NumberedRejection): RejectedRow {
  const { line, cells, raw = null, surplus = null } = row;
  return { row_number: rowNumber, line, reason, cells, raw, surplus, fingerprint: fingerprintOf(cells) };
}
