import type { Client } from './client.ts';
import { type ClientFilter, normaliseFilter } from './client-filter.ts';
import type { Position } from './cursor.ts';
import type { ClientPages } from './list-clients.ts';
import { type ClientLookup, findClient } from './manage-clients.ts';
import type { QueuePage, QueueRequest, ReviewQueue } from './review-queue.ts';
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
  deps: { clients: ClientPages },
  workspaceId: number,
  referenceId: string,
  { order = 'newest', ...filter }: ClientFilter & Pick<SearchRequest, 'order'>,
): Promise<Neighbours> {
  const position = await findPosition(deps, workspaceId, referenceId);
  if (!position) return NOBODY;
  const { clients } = deps;
  const list = normaliseFilter(filter);
  const [newer, older] = await Promise.all([
    clients.read(workspaceId, list, { newerThan: position, limit: 1 }),
    clients.read(workspaceId, list, { olderThan: position, limit: 1 }),
  ]);
  const [[previous], [next]] = order === 'newest' ? [newer.clients, older.clients] : [older.clients, newer.clients];
  return { previous, next };
}

async function findPosition(
  { clients }: { clients: ClientPages },
  workspaceId: number,
  referenceId: string,
): Promise<Position | undefined> {
  const one = normaliseFilter({ referenceIds: [referenceId] });
  return (await clients.read(workspaceId, one, { offset: 0, limit: 1 })).first;
}

/** So many pages are looked through for a neighbour that nobody is assigned to, which are some ten thousand clients. */
const PAGES_MAX = 10;

/** In the review, oldest first. Whether the client itself still waits does not matter here, either. */
export async function findNeighboursInReview(
  deps: { clients: ClientPages & ClientLookup; reviewQueue: ReviewQueue },
  workspaceId: number,
  referenceId: string,
  assignedTo: QueueRequest['assignedTo'],
): Promise<Neighbours> {
  await findClient(deps, workspaceId, referenceId);
  const position = await findPosition(deps, workspaceId, referenceId);
  if (!position) return NOBODY;
  const first = async (backwards: boolean) => {
    let after: Position | undefined = position;
    for (let pages = 0; after && pages < PAGES_MAX; pages++) {
      const page: QueuePage = await deps.reviewQueue.read(workspaceId, { assignedTo, after, backwards, limit: 1 });
      if (page.clients[0]) return page.clients[0].client;
      after = page.next;
    }
    return undefined;
  };
  return { previous: await first(true), next: await first(false) };
}
