import type { Client } from './client.ts';
import type { ClientSearch } from './client-filter.ts';
import { foldFilter } from './list-clients.ts';

export interface ClientExports {
  /** All matching clients of one moment, oldest first, in batches. Once the signal is aborted it throws its reason. */
  readAll(workspaceId: number, search: ClientSearch, signal?: AbortSignal): AsyncGenerator<Client[], void>;
}

/** Oldest first, so that importing what was exported gives every client the place it had. */
export function exportClients(
  deps: { clients: ClientExports },
  workspaceId: number,
  search: ClientSearch,
  signal?: AbortSignal,
): AsyncGenerator<Client[], void> {
  return deps.clients.readAll(workspaceId, { ...search, ...foldFilter(search) }, signal);
}
