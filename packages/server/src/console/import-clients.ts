import { type RecordDeps, record } from '../domain/activity.ts';
import { type ClientImports, importClients, type SourceRow } from '../domain/import-clients.ts';
import { ImportAnswer, ImportForm } from './contract/clients.ts';
import { type Route, workspaceRoute } from './route.ts';

export const importClientsRoute = (deps: { clients: ClientImports } & RecordDeps): Route =>
  workspaceRoute({
    method: 'POST',
    path: '/console/:environment/imports',
    role: 'admin',
    body: ImportForm,
    data: ImportAnswer,
    handle: async ({ actor, workspaceId, environment, body }) => {
      const rejected: { line: number; reason: string }[] = [];
      const { inserted, updated, unchanged } = await importClients(
        deps,
        { workspaceId, actor: actor.email },
        body.rows as SourceRow[],
        {
          dryRun: body.dry_run,
          onReject: ({ row, reason }) => {
            rejected.push({ line: row.line, reason });
          },
        },
      );
      if (!body.dry_run && body.last) await record(deps, actor, 'client.imported', body.file_name, environment);
      return { inserted, updated, unchanged, rejected };
    },
  });
