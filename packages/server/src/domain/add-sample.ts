import type { Clock } from './clock.ts';
import type { ClientImports, ImportRow } from './import-clients.ts';
import { type SampleRequest, sampleClients } from './sample-clients.ts';

const DAY_MS = 86_400_000;

/** Adds sample clients that are not there yet: the same seed a second time on the same day adds nothing. */
export async function addSample(
  deps: { clients: ClientImports; clock: Clock },
  request: Omit<SampleRequest, 'until'>,
): Promise<number> {
  const now = deps.clock.now();
  const change = { workspaceId: request.workspaceId, actor: 'sample' };
  let added = 0;
  let batch: ImportRow[] = [];
  const flush = async () => {
    const outcomes = await deps.clients.importRows(change, batch, { at: now });
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
