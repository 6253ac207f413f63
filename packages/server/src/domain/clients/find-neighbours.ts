import type { Client } from './client.ts';
import { type ClientFilter, normaliseFilter } from './client-filter.ts';
import type { ClientPages } from './list-clients.ts';
import { type ClientLookup, findClient } from './manage-clients.ts';
import { type SearchDeps, type Searcher, type SearchRequest, searchClients } from './search-clients.ts';

/** The clients before and after one in a list. */
export interface Neighbours {
  previous: Client | undefined;
  next: Client | undefined;
}

const NOBODY: Neighbours = { previous: undefined, next: undefined };

/**
 * In a list, it does not matter whether the client itself matches the filter, because it may have been changed since it was
 * opened from the list. What a search finds has no positions, so the client is looked for on the page of the request and on
 * those beside it.
 */
export async function findNeighbours(
  deps: SearchDeps & { clients: ClientLookup },
  workspaceId: number,
  referenceId: string,
  request: SearchRequest,
  searcher: Searcher,
): Promise<Neighbours> {
  await findClient(deps, workspaceId, referenceId);
  if (request.words === undefined) return neighboursInList(deps, workspaceId, referenceId, request);
  const { pageNumber, pageLimit } = request;
  const numbers = [pageNumber - 1, pageNumber, pageNumber + 1].filter((number) => number > 0);
  const found: Client[] = [];
  for (const number of numbers) {
    const page = await searchClients(deps, workspaceId, { ...request, pageNumber: number, pageLimit }, searcher);
    found.push(...page.clients);
  }
  const index = found.findIndex((client) => client.referenceId === referenceId);
  return index === -1 ? NOBODY : { previous: found[index - 1], next: found[index + 1] };
}

async function neighboursInList(
  { clients }: { clients: ClientPages },
  workspaceId: number,
  referenceId: string,
  { order = 'newest', ...filter }: ClientFilter & Pick<SearchRequest, 'order'>,
): Promise<Neighbours> {
  const one = normaliseFilter({ referenceIds: [referenceId] });
  const { first: position } = await clients.read(workspaceId, one, { offset: 0, limit: 1 });
  if (!position) return NOBODY;
  const list = normaliseFilter(filter);
  const [newer, older] = await Promise.all([
    clients.read(workspaceId, list, { newerThan: position, limit: 1 }),
    clients.read(workspaceId, list, { olderThan: position, limit: 1 }),
  ]);
  const [[previous], [next]] = order === 'newest' ? [newer.clients, older.clients] : [older.clients, newer.clients];
  return { previous, next };
}
