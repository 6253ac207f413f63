import type { Client } from './client.ts';
import { type ClientFilter, foldFilter } from './list-clients.ts';

export interface ClientExports {
  /** All matching clients of one moment, oldest first, in batches. */
  readAll(workspaceId: number, filter: ClientFilter): AsyncIterable<Client[]>;
}

/** Oldest first, so that importing what was exported gives every client the place it had. */
export function exportClients(
  deps: { clients: ClientExports },
  workspaceId: number,
  filter: ClientFilter,
): AsyncIterable<Client[]> {
  return deps.clients.readAll(workspaceId, foldFilter(filter));
}
