import type { Actor } from './change.ts';
import { type ImportDeps, type ImportRow, importRows, makeImportId } from './import-clients.ts';
import { type SampleRequest, sampleClients } from './sample-clients.ts';

const DAY_MS = 86_400_000;

/** Adds sample clients that are not there yet: the same seed a second time on the same day adds nothing. */
export async function addSample(
  deps: ImportDeps,
  actor: Actor,
  request: Omit<SampleRequest, 'until'>,
): Promise<number> {
  const now = deps.clock.now();
  const by = { workspaceId: request.workspaceId, actor };
  const origin = { id: makeImportId(), name: 'sample clients' };
  let added = 0;
  let batch: ImportRow[] = [];
  const flush = async () => {
    const outcomes = await importRows(deps, by, batch, origin);
    added += outcomes.filter((outcome) => outcome === 'inserted').length;
    batch = [];
  };
  for (const client of sampleClients({ ...request, until: now - (now % DAY_MS) })) {
    batch.push({ line: 0, ...client });
    if (batch.length === deps.clients.rowsAtOnce) await flush();
  }
  if (batch.length > 0) await flush();
  return added;
}
