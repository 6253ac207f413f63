import { setImmediate as nextTurn } from 'node:timers/promises';
import type { Client } from '../../domain/clients/client.ts';
import type { ClientFilter } from '../../domain/clients/client-filter.ts';
import type { ClientPages } from '../../domain/clients/list-clients.ts';
import type { ClientSearches, FoundTotal } from '../../domain/clients/search-clients.ts';
import { matchWords, wordsOfClient } from '../../domain/clients/words.ts';
import type { Engine } from '../engines/engine.ts';
import { AdaptiveSliceSize } from './adaptive-slice-size.ts';
import { matchesFilter } from './client-filter.ts';
import { SEARCHED_COLUMNS, selectClients, toClient } from './client-rows.ts';
import { oldestFirst, type RowPosition, readSlices } from './list-slices.ts';
import type { SearchBounds } from './search-bounds.ts';
import { type Candidates, findCandidates, positionsOf, type WordTask } from './word-candidates.ts';

/** How many times as many positions as expected may be read before a page is looked for in another way. */
const PATIENCE = 2;

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
  if (words.length === 0) return { ...totalOf(bounds, 0), ids: [] };
  const isFiltered = Object.values(filter).some((value) => value !== undefined);
  const { totalCount: listed } = await pages.read(workspaceId, filter, { offset: 0, limit: 1 });
  if (isFiltered && listed <= bounds.shortList) return findInList(task, { isCertain: false });
  const candidates = await findCandidates(task);
  if (!candidates.ids) return findInList(task, { isCertain: candidates.isCertain && !isFiltered });
  const areAllFound = !isFiltered && candidates.unchecked.length === 0;
  return (areAllFound && (await findNewest(task, candidates.ids, listed))) || findAmong(task, candidates);
}

/**
 * If all candidates match, their number is the total, and a page near the beginning of the list is found by reading only
 * positions, which is much faster than to read the rows of all candidates. Returns `undefined` if it would take longer.
 */
async function findNewest(task: Task, candidates: readonly number[], listed: number): Promise<Found | undefined> {
  const { bounds, window, engine, signal } = task;
  const end = Math.min(endOf(window), candidates.length);
  const expected = (end * listed) / Math.max(1, candidates.length);
  if (expected > bounds.passedPerRead * candidates.length) return undefined;
  const most = PATIENCE * expected;
  const wanted = new Set(candidates);
  const ids: number[] = [];
  const size = new AdaptiveSliceSize(engine.sliceMs);
  let last: RowPosition | undefined;
  for (let passed = 0; ids.length < end; ) {
    signal?.throwIfAborted();
    const slice = await size.measure((rows) => readPositions(task, last, rows));
    passed += slice.length;
    last = slice.at(-1);
    // If the candidates are older than most clients, or some have been removed, the page is not complete by now.
    if (!last || passed > most) return undefined;
    for (const { id } of slice) if (wanted.has(id)) ids.push(id);
    await nextTurn();
  }
  return { ...totalOf(bounds, candidates.length), ids: ids.slice(window.offset, end) };
}

/** The next positions of the whole list, newest first. */
function readPositions(
  { db, workspaceId }: Task,
  after: RowPosition | undefined,
  rows: number,
): Promise<RowPosition[]> {
  let query = db.selectFrom('clients').where('clients.workspace_id', '=', workspaceId);
  if (after) {
    query = query.where(({ eb, refTuple, tuple }) =>
      eb(refTuple('clients.created_at', 'clients.id'), '<', tuple(after.created_at, after.id)),
    );
  }
  return query
    .orderBy('clients.created_at', 'desc')
    .orderBy('clients.id', 'desc')
    .limit(rows)
    .select(['clients.id', 'clients.created_at'])
    .execute();
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
  const end = endOf(window);
  const ids: number[] = [];
  for await (const rows of slices) {
    for (const row of rows) if (matchWords(wordsOfClient(row), words)) ids.push(row.id);
    if (ids.length > bounds.found || (isCertain && ids.length >= end)) break;
  }
  return { ...totalOf(bounds, isCertain ? bounds.found + 1 : ids.length), ids: ids.slice(window.offset, end) };
}

/** How many matches are needed for the page. A page after the last one is complete from the start. */
function endOf({ offset, limit }: Window): number {
  return limit === 0 ? 0 : offset + limit;
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
