import type { RecordDeps } from '../../domain/change.ts';
import type { Client } from '../../domain/clients/client.ts';
import { type ClientExports, exportClients, recordExport } from '../../domain/clients/export-clients.ts';
import type { ExportSlots } from '../../domain/clients/export-slots.ts';
import type { Groups } from '../../domain/clients/manage-groups.ts';
import { isFailure } from '../../domain/failure.ts';
import { formatTime } from '../../domain/time.ts';
import { exportHeader, exportLines } from '../../files/write-clients.ts';
import { ExportForm } from '../contract/clients/clients.ts';
import { type ConsoleRoute, fileRoute } from '../define-route.ts';
import type { FileTimeouts } from '../file-stream.ts';
import { forSpreadsheets } from '../for-spreadsheets.ts';
import { toSearch } from './client-search.ts';

interface ExportDeps extends RecordDeps {
  clients: ClientExports;
  groups: Groups;
  exportSlots: ExportSlots;
  fileTimeouts: FileTimeouts;
}

export const exportClientsRoute = (deps: ExportDeps): ConsoleRoute =>
  fileRoute({
    path: '/console/:environment/clients.csv',
    role: 'viewer',
    proofTo: 'export clients',
    body: ExportForm,
    timeouts: deps.fileTimeouts,
    handle: async ({ actor, workspaceId, environment, body, signal }) => {
      // A search that is refused must not keep a slot.
      const search = toSearch(body);
      const leave = deps.exportSlots.take(actor);
      const batches = exportClients(deps, workspaceId, search, signal);
      const close = async () => {
        try {
          await batches.return();
        } finally {
          leave();
        }
      };
      try {
        // Read before the answer begins, so that a failure becomes a refusal instead of a file that breaks off.
        const first = await batches.next();
        const recordEnd = await recordExport(deps, actor, { workspaceId, environment, format: 'csv', search });
        const content = forSpreadsheets(lines(first, batches, (clients) => ignoringOutages(recordEnd(clients))));
        const day = formatTime(deps.clock.now()).slice(0, 10);
        return { name: `clients-${environment}-${day}.csv`, type: 'text/csv; charset=utf-8', content, close };
      } catch (error) {
        await close();
        throw error;
      }
    },
  });

/** `onEnd` is called with the number of clients that were handed out, also if the reader leaves early. */
async function* lines(
  first: IteratorResult<Client[]>,
  rest: AsyncIterable<Client[]>,
  onEnd: (clients: number) => Promise<void>,
): AsyncGenerator<string> {
  let handedOut = 0;
  try {
    yield exportHeader('csv');
    if (first.done) return;
    handedOut += first.value.length;
    yield exportLines('csv', first.value);
    for await (const clients of rest) {
      handedOut += clients.length;
      yield exportLines('csv', clients);
    }
  } finally {
    await onEnd(handedOut);
  }
}

/** That the export has begun is on record, and the file is complete without the number. */
async function ignoringOutages(recording: Promise<void>): Promise<void> {
  try {
    await recording;
  } catch (error) {
    if (!isFailure(error)) throw error;
  }
}
