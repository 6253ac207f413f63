import { type RecordDeps, record } from '../domain/activity.ts';
import { Failure } from '../domain/failure.ts';
import { type ClientImports, importClients, type SourceRow } from '../domain/import-clients.ts';
import { IMPORT_ROWS_MAX, ImportAnswer, ImportForm } from './contract/clients.ts';
import { type Route, workspaceRoute } from './route.ts';

export const importClientsRoute = (deps: { clients: ClientImports } & RecordDeps): Route => {
  // Others are answered in between.
  const clients = { ...deps.clients, rowsAtOnce: IMPORT_ROWS_MAX };
  return workspaceRoute({
    method: 'POST',
    path: '/console/:environment/imports',
    role: 'admin',
    body: ImportForm,
    data: ImportAnswer,
    handle: async ({ actor, workspaceId, environment, body }) => {
      if (!body.dry_run && body.rows.length > IMPORT_ROWS_MAX) {
        throw new Failure('bad_parameter', `rows must have at most ${IMPORT_ROWS_MAX} entries.`);
      }
      const rejected: { line: number; reason: string }[] = [];
      const { inserted, updated, unchanged } = await importClients(
        { ...deps, clients },
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
};
