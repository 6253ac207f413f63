import type { Client } from './client.ts';
import { type ClientExports, exportClients } from './export-clients.ts';
import {
  type ClientFilter,
  type ClientPages,
  type ClientsPage,
  foldFilter,
  type ListClientsRequest,
  listClients,
} from './list-clients.ts';

/** What a person looks for: the filters of the API, and two that only the dashboard has. */
export interface ClientSearch extends ClientFilter {
  /** A part of the email or of the name. */
  fragment?: string | undefined;
  createdFrom?: number | undefined;
  /** Exclusive. */
  createdUntil?: number | undefined;
}

export interface ClientSearches {
  /** The ids of all that match, newest first. */
  matching(workspaceId: number, search: ClientSearch): Promise<number[]>;
  /** Those clients, in the order of their ids here; one that is gone meanwhile is left out. */
  byIds(workspaceId: number, ids: readonly number[]): Promise<Client[]>;
}

export interface SearchDeps {
  clients: ClientPages & ClientExports;
  searches: ClientSearches;
}

export type FoundClients = Pick<ClientsPage, 'pageNumber' | 'pageLimit' | 'totalCount' | 'totalPages' | 'clients'>;

const EXPORT_BATCH = 2000;

/** A plain list goes the way of the API, which is fast at any size; only a true search has to look at the rows. */
export async function searchClients(
  deps: SearchDeps,
  workspaceId: number,
  request: ClientSearch & Pick<ListClientsRequest, 'pageNumber' | 'pageLimit'>,
): Promise<FoundClients> {
  if (isPlain(request)) return listClients(deps, workspaceId, request);
  const { pageNumber, pageLimit } = request;
  const ids = await deps.searches.matching(workspaceId, { ...request, ...foldFilter(request) });
  const first = (pageNumber - 1) * pageLimit;
  return {
    pageNumber,
    pageLimit,
    totalCount: ids.length,
    totalPages: Math.ceil(ids.length / pageLimit),
    clients: await deps.searches.byIds(workspaceId, ids.slice(first, first + pageLimit)),
  };
}

/** Everything that the search shows, on all its pages, oldest first as in every export. */
export async function* exportSearch(
  deps: SearchDeps,
  workspaceId: number,
  search: ClientSearch,
): AsyncGenerator<Client[]> {
  if (isPlain(search)) return yield* exportClients(deps, workspaceId, search);
  const ids = (await deps.searches.matching(workspaceId, { ...search, ...foldFilter(search) })).reverse();
  for (let start = 0; start < ids.length; start += EXPORT_BATCH) {
    yield await deps.searches.byIds(workspaceId, ids.slice(start, start + EXPORT_BATCH));
  }
}

function isPlain({ fragment, createdFrom, createdUntil }: ClientSearch): boolean {
  return fragment === undefined && createdFrom === undefined && createdUntil === undefined;
}
