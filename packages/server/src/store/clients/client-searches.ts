import type { Client } from '../../domain/clients/client.ts';
import type { ClientFilter } from '../../domain/clients/client-filter.ts';
import type { ClientPages } from '../../domain/clients/list-clients.ts';
import type { ClientSearches, FoundTotal } from '../../domain/clients/search-clients.ts';
import { matchWords, wordsOfClient } from '../../domain/clients/words.ts';
import { AdaptiveSliceSize, SlicePauses } from '../adaptive-slice-size.ts';
import type { Engine } from '../engines/engine.ts';
import { matchesFilter } from './client-filter.ts';
import { SEARCHED_COLUMNS, selectClients, toClient } from './client-rows.ts';
import { oldestFirst, type RowPosition, readSlices } from './list-slices.ts';
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
 * Asks the index of words, and reads the rows of the clients that it names to filter and sort them, or their positions in the
 * list, if many match. If the index cannot be asked, the filtered list is read and compared in its order (decision 87).
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
  const sizeOf = async (list: ClientFilter) =>
    (await pages.read(workspaceId, list, { offset: 0, limit: 1 })).totalCount;
  const isFiltered = Object.values(filter).some((value) => value !== undefined);
  const listed = await sizeOf(filter);
  if (isFiltered && listed <= bounds.shortList) return findInList(task);
  const candidates = await findCandidates(task);
  if (!candidates) return findInList(task);
  if (candidates.unchecked.length > 0) return findAmong(task, candidates);
  const list = { isFiltered, listed, all: isFiltered ? await sizeOf({}) : listed };
  return (await findInOrder(task, candidates.ids, list)) ?? findAmong(task, candidates);
}

/**
 * Passes over the positions of the list, which is much faster than to read the rows of all candidates, until the page is
 * complete and the total is known. Returns `undefined` if that takes longer, as it does when all of them are old.
 */
async function findInOrder(
  task: Task,
  candidates: readonly number[],
  { isFiltered, listed, all }: { isFiltered: boolean; listed: number; all: number },
): Promise<Found | undefined> {
  const { bounds, window, engine, signal, filter } = task;
  // There may be millions of inactive clients between two active ones.
  if (filter.clientStatus !== undefined) return undefined;
  // Without a filter, all candidates match, and their number is the total.
  const needed = isFiltered ? bounds.found + 1 : Math.min(endOf(window), candidates.length);
  const most = bounds.passedPerRead * candidates.length;
  if (Math.min(listed, (needed * all) / Math.max(1, candidates.length)) > most) return undefined;
  const wanted = new Set(candidates);
  const ids: number[] = [];
  const size = new AdaptiveSliceSize(engine.sliceMs);
  const pauses = new SlicePauses();
  let last: RowPosition | undefined;
  for (let passed = 0; ids.length < needed; await pauses.afterSlice()) {
    signal?.throwIfAborted();
    const slice = await size.measure((rows) => readPositions(task, last, rows));
    for (const { id } of slice) if (wanted.has(id)) ids.push(id);
    last = slice.at(-1);
    if (!last && isFiltered) break;
    passed += slice.length;
    // Without a filter, the end of the list comes too early only if candidates were removed in the meantime.
    if (ids.length < needed && (!last || passed > most)) return undefined;
  }
  const total = totalOf(bounds, isFiltered ? ids.length : candidates.length);
  return { ...total, ids: ids.slice(window.offset, endOf(window)) };
}

/** The next positions of the filtered list, newest first. */
function readPositions(
  { db, workspaceId, filter }: Task,
  after: RowPosition | undefined,
  rows: number,
): Promise<RowPosition[]> {
  let query = db.selectFrom('clients').where(matchesFilter(workspaceId, filter));
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

async function findAmong(task: Task, candidates: Candidates): Promise<Found> {
  const { offset, limit } = task.window;
  const positions = await positionsOf(task, candidates, task.filter);
  positions.sort((a, b) => oldestFirst(b, a));
  return {
    ...totalOf(task.bounds, positions.length),
    ids: positions.slice(offset, offset + limit).map(({ id }) => id),
  };
}

/** Reads until the total is known: to the end, or until there are more matches than are counted. */
async function findInList(task: Task): Promise<Found> {
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
  const ids: number[] = [];
  for await (const rows of slices) {
    for (const row of rows) if (matchWords(wordsOfClient(row), words)) ids.push(row.id);
    if (ids.length > bounds.found) break;
  }
  return { ...totalOf(bounds, ids.length), ids: ids.slice(window.offset, endOf(window)) };
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
