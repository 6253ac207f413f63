import { type RecordDeps, record } from '../domain/change.ts';
import { type ClientSearch, exportSearch, type SearchDeps } from '../domain/search-clients.ts';
import { fileHead, fileLines } from '../files/write-clients.ts';
import { toSearch } from './client-search.ts';
import { ExportForm } from './contract/clients.ts';
import { type Route, workspaceFile } from './route.ts';

export const exportClientsRoute = (deps: SearchDeps & RecordDeps): Route =>
  workspaceFile({
    path: '/console/:environment/clients.csv',
    role: 'viewer',
    body: ExportForm,
    handle: async ({ actor, workspaceId, environment, body }) => {
      await record(deps, actor, 'client.exported', 'clients as CSV', environment);
      const content = lines(deps, workspaceId, toSearch(body));
      return { name: `clients-${environment}.csv`, type: 'text/csv; charset=utf-8', content };
    },
  });

async function* lines(deps: SearchDeps, workspaceId: number, search: ClientSearch): AsyncGenerator<string> {
  yield fileHead('csv');
  for await (const clients of exportSearch(deps, workspaceId, search)) yield fileLines('csv', clients);
}
