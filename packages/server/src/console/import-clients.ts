import { type ImportDeps, importClients, type SourceRow } from '../domain/import-clients.ts';
import { ImportAnswer, ImportForm } from './contract/clients.ts';
import { type Route, workspaceRoute } from './route.ts';

export const importClientsRoute = (deps: ImportDeps): Route =>
  workspaceRoute({
    method: 'POST',
    path: '/console/:environment/imports',
    role: 'admin',
    body: ImportForm,
    data: ImportAnswer,
    handle: async ({ actor, workspaceId, body }) => {
      const rejected: { line: number; reason: string }[] = [];
      const { inserted, updated, unchanged } = await importClients(
        deps,
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
