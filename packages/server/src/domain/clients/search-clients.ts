import type { Client } from './client.ts';
import { type ClientSearch, normaliseFilter } from './client-filter.ts';
import { type ClientPages, type ClientsPage, type ListClientsRequest, listClients } from './list-clients.ts';
import type { SearchQueue } from './search-queue.ts';

export interface ClientSearches {
  /**
   * The number of matching clients and one page of them, newest first. It reads all clients slice by slice. When the signal
   * is aborted, it throws the reason.
   */
  find(
    workspaceId: number,
    search: ClientSearch,
    window: { offset: number; limit: number },
    signal?: AbortSignal,
  ): Promise<{ totalCount: number; clients: Client[] }>;
}

export interface SearchDeps {
  clients: ClientPages;
  searches: ClientSearches;
  searchQueue: SearchQueue;
}

/** Who searches, and the signal that the caller has disconnected. */
export interface Searcher {
  memberId: number;
  signal: AbortSignal;
}

export type FoundClients = Pick<ClientsPage, 'pageNumber' | 'pageLimit' | 'totalCount' | 'totalPages' | 'clients'>;

/** Without a text fragment, this is a list of the API, which is fast at any size; any other search has to read the rows. */
export async function searchClients(
  deps: SearchDeps,
  workspaceId: number,
  request: ClientSearch & Pick<ListClientsRequest, 'pageNumber' | 'pageLimit'>,
  { memberId, signal }: Searcher,
): Promise<FoundClients> {
  if (request.fragment === undefined) return listClients(deps, workspaceId, request);
  const { pageNumber, pageLimit } = request;
  const search = { ...normaliseFilter(request), fragment: request.fragment };
  const window = { offset: (pageNumber - 1) * pageLimit, limit: pageLimit };
  const { totalCount, clients } = await deps.searchQueue.run(memberId, signal, () =>
    deps.searches.find(workspaceId, search, window, signal),
  );
  return { pageNumber, pageLimit, totalCount, totalPages: Math.ceil(totalCount / pageLimit), clients };
}
