import { type Actor, type RecordDeps, record } from '../change.ts';
import type { Environment } from '../environment.ts';
import type { Client } from './client.ts';
import { type ClientSearch, normaliseFilter } from './client-filter.ts';

export interface ClientExports {
  /** Reads all matching clients from one snapshot, oldest first, in batches. When the signal is aborted, it throws the reason. */
  readAll(workspaceId: number, search: ClientSearch, signal?: AbortSignal): AsyncGenerator<Client[], void>;
}

/** Oldest first, so that importing an exported file restores the order of the clients. */
export function exportClients(
  deps: { clients: ClientExports },
  workspaceId: number,
  search: ClientSearch,
  signal?: AbortSignal,
): AsyncGenerator<Client[], void> {
  return deps.clients.readAll(workspaceId, { ...normaliseFilter(search), words: search.words }, signal);
}

/** An export changes nothing, but it is recorded, because personal data leaves the installation with it. */
export function recordExport(
  deps: RecordDeps,
  actor: Actor & { accountId: number },
  { environment, format }: { environment: Environment; format: 'csv' | 'ndjson' },
): Promise<void> {
  return record(deps, actor, 'client.exported', `clients as ${format.toUpperCase()}`, environment);
}
