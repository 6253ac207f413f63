import type { Client } from './client.ts';
import type { ClientSearch } from './client-filter.ts';
import { foldFilter } from './list-clients.ts';

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
  return deps.clients.readAll(workspaceId, { ...search, ...foldFilter(search) }, signal);
}
