import { type ImportDeps, importClients } from '../../domain/clients/import-clients.ts';
import type { SourceRow } from '../../domain/clients/parse-row.ts';
import { Failure } from '../../domain/failure.ts';
import { IMPORT_ROWS_MAX, ImportAnswer, ImportForm } from '../contract/clients/clients.ts';
import { type ConsoleRoute, workspaceRoute } from '../define-route.ts';

export const importClientsRoute = (deps: ImportDeps): ConsoleRoute => {
  // Rows are written in batches of this size, so that other requests are answered in between.
  const clients = { ...deps.clients, rowsAtOnce: IMPORT_ROWS_MAX };
  return workspaceRoute({
    methods: ['POST'],
    path: '/console/:environment/imports',
    role: 'admin',
    body: ImportForm,
    data: ImportAnswer,
    handle: async ({ actor, workspaceId, body }) => {
      if (!body.dry_run && body.rows.length > IMPORT_ROWS_MAX) {
        throw new Failure('bad_parameter', `rows must have at most ${IMPORT_ROWS_MAX} entries.`);
      }
      const rejected: { line: number; reason: string }[] = [];
      const { inserted, updated, unchanged } = await importClients(
        { ...deps, clients },
        { workspaceId, actor },
        body.rows as SourceRow[],
        {
          origin: { id: body.import_id, name: body.file_name },
          dryRun: body.dry_run,
          onReject: ({ row, reason }) => {
            rejected.push({ line: row.line, reason });
          },
        },
      );
      return { inserted, updated, unchanged, rejected };
    },
  });
};
