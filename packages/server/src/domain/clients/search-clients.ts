import type { Client } from './client.ts';
import { type ClientSearch, normaliseFilter } from './client-filter.ts';
import { type ClientPages, type ClientsPage, type ListClientsRequest, listClients } from './list-clients.ts';
import type { SearchQueue } from './search-queue.ts';

/** A search counts, and shows, at most this many clients. */
export const FOUND_MAX = 10_000;

export interface FoundTotal {
  totalCount: number;
  /** If not, more than `totalCount` clients match, which is then `FOUND_MAX`. */
  isTotalExact: boolean;
}

export interface ClientSearches {
  /**
   * One page of the clients that match, newest first. It reads in slices, and throws the reason when the signal is aborted.
   * After the first `FOUND_MAX` clients, pages are empty.
   */
  find(
    workspaceId: number,
    search: ClientSearch & { words: readonly string[] },
    window: { offset: number; limit: number },
    signal?: AbortSignal,
  ): Promise<FoundTotal & { clients: Client[] }>;
}

export interface FindDeps {
  clients: ClientPages;
  searches: ClientSearches;
}

export interface SearchDeps extends FindDeps {
  searchQueue: SearchQueue;
}

/** Who searches, and the signal that the caller has disconnected. */
export interface Searcher {
  memberId: number;
  signal: AbortSignal;
}

export type SearchRequest = ClientSearch & Pick<ListClientsRequest, 'pageNumber' | 'pageLimit' | 'order'>;

export type FoundClients = FoundTotal & Pick<ClientsPage, 'pageNumber' | 'pageLimit' | 'totalPages' | 'clients'>;

/** The same as `findClients`, in turn with the searches of others. A list without words need not wait. */
export async function searchClients(
  deps: SearchDeps,
  workspaceId: number,
  request: SearchRequest,
  { memberId, signal }: Searcher,
): Promise<FoundClients> {
  if (request.words === undefined) return findClients(deps, workspaceId, request);
  return deps.searchQueue.run(memberId, signal, () => findClients(deps, workspaceId, request, signal));
}

/** Without words, this is a list of the API, whose total is always exact. */
export async function findClients(
  deps: FindDeps,
  workspaceId: number,
  request: SearchRequest,
  signal?: AbortSignal,
): Promise<FoundClients> {
  const { words, pageNumber, pageLimit } = request;
  if (words === undefined) return { ...(await listClients(deps, workspaceId, request)), isTotalExact: true };
  const window = { offset: (pageNumber - 1) * pageLimit, limit: pageLimit };
  const found = await deps.searches.find(workspaceId, { ...normaliseFilter(request), words }, window, signal);
  return { ...found, pageNumber, pageLimit, totalPages: Math.ceil(found.totalCount / pageLimit) };
}
