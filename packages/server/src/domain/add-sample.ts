import type { NewClient } from './client.ts';
import type { Clock } from './clock.ts';
import { type SampleRequest, sampleClients } from './sample-clients.ts';

const BATCH = 5000;
const DAY_MS = 86_400_000;

export interface ClientAdditions {
  /** Adds those whose reference and email in that group are new, in one transaction; returns how many. */
  add(workspaceId: number, clients: readonly NewClient[], addedAt: number): Promise<number>;
}

/** Adds sample clients that are not there yet: the same seed a second time adds nothing. */
export async function addSample(
  deps: { clients: ClientAdditions; clock: Clock },
  request: Omit<SampleRequest, 'until'>,
): Promise<number> {
  const now = deps.clock.now();
  const until = now - (now % DAY_MS);
  let added = 0;
  let batch: NewClient[] = [];
  const flush = async () => {
    added += await deps.clients.add(request.workspaceId, batch, now);
    batch = [];
  };
  for (const client of sampleClients({ ...request, until })) {
    batch.push(client);
    if (batch.length === BATCH) await flush();
  }
  if (batch.length > 0) await flush();
  return added;
}
