import { type RecordDeps, record } from '../../domain/change.ts';
import type { Client } from '../../domain/clients/client.ts';
import { type ClientExports, exportClients } from '../../domain/clients/export-clients.ts';
import type { ExportSlots } from '../../domain/clients/export-slots.ts';
import { exportHeader, exportLines } from '../../files/write-clients.ts';
import { ExportForm } from '../contract/clients/clients.ts';
import { type Route, workspaceFile } from '../route.ts';
import { toSearch } from './client-search.ts';

interface ExportDeps extends RecordDeps {
  clients: ClientExports;
  exportSlots: ExportSlots;
}

export const exportClientsRoute = (deps: ExportDeps): Route =>
  workspaceFile({
    path: '/console/:environment/clients.csv',
    role: 'viewer',
    body: ExportForm,
    handle: async ({ actor, workspaceId, environment, body, left }) => {
      const leave = deps.exportSlots.take(actor.memberId);
      const batches = exportClients(deps, workspaceId, toSearch(body), left);
      const close = async () => {
        try {
          await batches.return();
        } finally {
          leave();
        }
      };
      try {
        // Before anything is answered: what fails until then is a refusal, and not a file that breaks off.
        const first = await batches.next();
        await record(deps, actor, 'client.exported', 'clients as CSV', environment);
        const content = lines(first, batches);
        return { name: `clients-${environment}.csv`, type: 'text/csv; charset=utf-8', content, close };
      } catch (error) {
        await close();
        throw error;
      }
    },
  });

async function* lines(first: IteratorResult<Client[]>, rest: AsyncIterable<Client[]>): AsyncGenerator<string> {
  yield exportHeader('csv');
  if (first.done) return;
  yield exportLines('csv', first.value);
  for await (const clients of rest) yield exportLines('csv', clients);
}
