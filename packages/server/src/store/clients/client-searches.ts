import type { Client } from '../../domain/clients/client.ts';
import type { ClientFilter } from '../../domain/clients/client-filter.ts';
import type { ClientPages } from '../../domain/clients/list-clients.ts';
import type { ClientSearches, FoundTotal } from '../../domain/clients/search-clients.ts';
import { matchWords, wordsOfClient } from '../../domain/clients/words.ts';
import type { Engine } from '../engines/engine.ts';
import { matchesFilter } from './client-filter.ts';
import { SEARCHED_COLUMNS, selectClients, toClient } from './client-rows.ts';
import { oldestFirst, readSlices } from './list-slices.ts';
import type { SearchBounds } from './search-bounds.ts';
import { type Candidates, findCandidates, positionsOf, type WordTask } from './word-candidates.ts';

interface Window {
  offset: number;
  limit: number;
}

interface Task extends WordTask {
  filter: ClientFilter;
  window: Window;
}

interface Found extends FoundTotal {
  ids: number[];
}

/**
 * Asks the index of words, and reads the rows of the clients that it names to filter and sort them. If these are too many, the
 * filtered list is read in its order instead: where many match, a page is soon complete (decision 87).
 */
export function openClientSearches(engine: Engine, pages: ClientPages, bounds: SearchBounds): ClientSearches {
  return {
    find: async (workspaceId, { words, ...filter }, { offset, limit }, signal) => {
      const window = { offset, limit: Math.max(0, Math.min(limit, bounds.found - offset)) };
      const task = { db: engine.reads, engine, bounds, workspaceId, words, filter, window, signal };
      const { ids, ...total } = await find(task, pages);
      return { ...total, clients: await byIds(engine, workspaceId, ids) };
    },
  };
}

async function find(task: Task, pages: ClientPages): Promise<Found> {
  const { bounds, workspaceId, filter, words } = task;
  const isFiltered = Object.values(filter).some((value) => value !== undefined);
  if (isFiltered && words.length > 0) {
    const { totalCount } = await pages.read(workspaceId, filter, { offset: 0, limit: 1 });
    if (totalCount <= bounds.shortList) return findInList(task, { isCertain: false });
  }
  const candidates = await findCandidates(task);
  if (candidates.ids) return findAmong(task, candidates);
  return findInList(task, { isCertain: candidates.isCertain && !isFiltered });
}

async function findAmong(task: Task, candidates: Extract<Candidates, { unchecked: unknown }>): Promise<Found> {
  const { offset, limit } = task.window;
  const positions = await positionsOf(task, candidates, task.filter);
  positions.sort((a, b) => oldestFirst(b, a));
  return {
    ...totalOf(task.bounds, positions.length),
    ids: positions.slice(offset, offset + limit).map(({ id }) => id),
  };
}

/** Reads until the page is complete and the total is known: to the end, or until there are more matches than are counted. */
async function findInList(task: Task, { isCertain }: { isCertain: boolean }): Promise<Found> {
  const { db, engine, bounds, workspaceId, words, filter, window, signal } = task;
  const list = { workspaceId, filter, direction: 'newest' } as const;
  const slices = readSlices({ db, engine, signal }, list, (slice) =>
    db
      .selectFrom('clients')
      .where(matchesFilter(workspaceId, filter))
      .where(slice)
      .orderBy('clients.created_at', 'desc')
      .orderBy('clients.id', 'desc')
      .select('clients.id')
      .select(SEARCHED_COLUMNS)
      .execute(),
  );
  // A page after the last one is complete from the start.
  const end = window.limit === 0 ? 0 : window.offset + window.limit;
  const ids: number[] = [];
  for await (const rows of slices) {
    for (const row of rows) if (matchWords(wordsOfClient(row), words)) ids.push(row.id);
    if (ids.length > bounds.found || (isCertain && ids.length >= end)) break;
  }
  return { ...totalOf(bounds, isCertain ? bounds.found + 1 : ids.length), ids: ids.slice(window.offset, end) };
}

function totalOf(bounds: SearchBounds, found: number): FoundTotal {
  return { totalCount: Math.min(found, bounds.found), isTotalExact: found <= bounds.found };
}

/** In the order of the ids. A client that was removed in the meantime is left out. */
async function byIds(engine: Engine, workspaceId: number, ids: readonly number[]): Promise<Client[]> {
  if (ids.length === 0) return [];
  const rows = await selectClients(engine.reads)
    .where('clients.workspace_id', '=', workspaceId)
    .where('clients.id', 'in', engine.listOf(ids))
    .execute();
  const byId = new Map(rows.map((row) => [row.id, toClient(row)]));
  return ids.flatMap((id) => byId.get(id) ?? []);
}
