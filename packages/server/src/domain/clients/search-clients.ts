import type { Client } from './client.ts';
import { type ClientSearch, isPlain } from './client-filter.ts';
import {
  type ClientPages,
  type ClientsPage,
  foldFilter,
  type ListClientsRequest,
  listClients,
} from './list-clients.ts';
import type { SearchTurns } from './search-turns.ts';

export interface ClientSearches {
  /**
   * How many match, and some of them, newest first. Looks at every client, a slice at a time; once the signal is aborted it
   * throws its reason.
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
  searchTurns: SearchTurns;
}

/** Who searches, and the end of their patience. */
export interface Searcher {
  memberId: number;
  left: AbortSignal;
}

export type FoundClients = Pick<ClientsPage, 'pageNumber' | 'pageLimit' | 'totalCount' | 'totalPages' | 'clients'>;

/** A plain list goes the way of the API, which is fast at any size; only a true search has to look at the rows. */
export async function searchClients(
  deps: SearchDeps,
  workspaceId: number,
  request: ClientSearch & Pick<ListClientsRequest, 'pageNumber' | 'pageLimit'>,
  { memberId, left }: Searcher,
): Promise<FoundClients> {
  if (isPlain(request)) return listClients(deps, workspaceId, request);
  const { pageNumber, pageLimit } = request;
  const search = { ...request, ...foldFilter(request) };
  const window = { offset: (pageNumber - 1) * pageLimit, limit: pageLimit };
  const { totalCount, clients } = await deps.searchTurns.take(memberId, left, () =>
    deps.searches.find(workspaceId, search, window, left),
  );
  return { pageNumber, pageLimit, totalCount, totalPages: Math.ceil(totalCount / pageLimit), clients };
}
