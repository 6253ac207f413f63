import { type Expression, type ExpressionBuilder, type SqlBool, sql } from 'kysely';
import type { Client } from '../../domain/clients/client.ts';
import type { ClientFilter } from '../../domain/clients/client-filter.ts';
import { IdSet } from '../../domain/clients/id-set.ts';
import type { FoundTotal } from '../../domain/clients/search-clients.ts';
import { matchWords, wordsOfClient } from '../../domain/clients/words.ts';
import { AdaptiveSliceSize, SlicePauses } from '../adaptive-slice-size.ts';
import type { Tables } from '../tables.ts';
import { matchesFilter } from './client-filter.ts';
import { SEARCHED_COLUMNS, selectClients, toClient } from './client-rows.ts';
import { oldestFirst, type RowPosition, readSlices } from './list-slices.ts';
import type { SearchBounds } from './search-bounds.ts';
import { type Candidates, findCandidates, positionsOf, type WordTask } from './word-candidates.ts';

/** How many ids are read in one statement. They take little memory. */
const IDS_MAX = 50_000;

/** Fewer are not worth sorting. */
const POSITIONS_SORTED_MIN = 10_000;

interface Window {
  offset: number;
  limit: number;
}

/** A search as plain data, so that it can be passed to a thread. */
export interface SearchQuestion {
  workspaceId: number;
  words: readonly string[];
  filter: ClientFilter;
  window: Window;
  bounds: SearchBounds;
  /** How many clients the filtered list has, and the whole one. Only the duration of the search depends on it. */
  sizes: ListSizes;
}

export interface ListSizes {
  listed: number;
  all: number;
}

export type SearchAnswer = FoundTotal & { clients: Client[] };

type Task = SearchQuestion & WordTask;

interface Found extends FoundTotal {
  ids: number[];
}

/**
 * Asks the index of words, and reads the rows of the clients that it names to filter and sort them, or their positions in the
 * list, if many match. If the index cannot be asked, the filtered list is read and compared in its order (decision 87).
 */
export async function findMatches(task: Task): Promise<SearchAnswer> {
  const { ids, ...total } = await find(task);
  return { ...total, clients: await byIds(task, ids) };
}

export function isFiltered(filter: ClientFilter): boolean {
  return Object.values(filter).some((value) => value !== undefined);
}

async function find(task: Task): Promise<Found> {
  const { bounds, filter, sizes } = task;
  if (isFiltered(filter) && sizes.listed <= bounds.shortList) return findInList(task);
  const candidates = await findCandidates(task);
  if (!candidates) return findInList(task);
  if (candidates.unchecked.length > 0) return findAmong(task, candidates);
  return (await findInOrder(task, candidates.ids)) ?? findAmong(task, candidates);
}

/**
 * Passes over the positions of the list, which is much faster than to read the rows of all candidates, until the page is
 * complete and the total is known. Returns `undefined` if that takes longer, as it does when all of them are old.
 */
async function findInOrder(task: Task, candidates: readonly number[]): Promise<Found | undefined> {
  const { bounds, window, engine, signal, filter, sizes } = task;
  // There may be millions of inactive clients between two active ones.
  if (filter.clientStatus !== undefined) return undefined;
  // Without a filter, all candidates match, and their number is the total.
  const isPart = isFiltered(filter);
  const needed = isPart ? bounds.found + 1 : Math.min(endOf(window), candidates.length);
  const most = bounds.passedPerRead * candidates.length;
  if (Math.min(sizes.listed, (needed * sizes.all) / Math.max(1, candidates.length)) > most) return undefined;
  const wanted = new IdSet(candidates);
  const ids: number[] = [];
  const size = new AdaptiveSliceSize(engine.sliceMs, IDS_MAX);
  const pauses = new SlicePauses(engine.pauseMs);
  let last: RowPosition | undefined;
  for (let passed = 0; ids.length < needed; await pauses.afterSlice()) {
    signal?.throwIfAborted();
    const slice = await size.measure((rows) => passPositions(task, last, rows));
    for (const id of slice) if (wanted.has(id)) ids.push(id);
    passed += slice.length;
    const end = slice.at(-1);
    if (end === undefined) {
      if (isPart) break;
      // Without a filter, the end of the list comes too early only if candidates were removed in the meantime.
      return undefined;
    }
    if (ids.length < needed && passed > most) return undefined;
    last = await positionOf(task, end);
    if (!last) return undefined;
  }
  const total = totalOf(bounds, isPart ? ids.length : candidates.length);
  return { ...total, ids: ids.slice(window.offset, endOf(window)) };
}

/** The ids of the next clients of the filtered list, newest first. */
async function passPositions(task: Task, after: RowPosition | undefined, rows: number): Promise<number[]> {
  if (!after) return readIds(task, rows, ({ lit }) => lit(true));
  // SQLite finds a time in the index, but compares every row with a position. So clients of the same time are read again.
  const ids = await readIds(task, rows, (client) => client('clients.created_at', '<=', after.created_at));
  const repeated = ids.indexOf(after.id) + 1;
  if (repeated > 0 && repeated < rows / 2) return ids.slice(repeated);
  return readIds(task, rows, ({ eb, refTuple, tuple }) =>
    eb(refTuple('clients.created_at', 'clients.id'), '<', tuple(after.created_at, after.id)),
  );
}

/** As one text, because rows take several times as long to pass on. */
async function readIds(
  { db, engine, workspaceId, filter }: Task,
  rows: number,
  from: (client: ExpressionBuilder<Tables, 'clients'>) => Expression<SqlBool>,
): Promise<number[]> {
  const positions = db
    .selectFrom('clients')
    .where(matchesFilter(workspaceId, filter))
    .where(from)
    .orderBy('clients.created_at', 'desc')
    .orderBy('clients.id', 'desc')
    .limit(rows)
    .select('clients.id')
    .as('positions');
  const { ids } = await db
    .selectFrom(positions)
    .select(engine.jsonOf(sql.ref('id')).as('ids'))
    .executeTakeFirstOrThrow();
  return JSON.parse(ids ?? '[]');
}

/** `undefined` if the client was removed in the meantime. */
function positionOf({ db, workspaceId }: Task, id: number): Promise<RowPosition | undefined> {
  return db
    .selectFrom('clients')
    .where('clients.workspace_id', '=', workspaceId)
    .where('clients.id', '=', id)
    .select(['clients.id', 'clients.created_at'])
    .executeTakeFirst();
}

/** Keeps only the newest positions, because a page needs no others and a million of them need much memory. */
async function findAmong(task: Task, candidates: Candidates): Promise<Found> {
  const { bounds, window } = task;
  const most = endOf(window);
  const newest: RowPosition[] = [];
  let found = 0;
  const keepNewest = () => {
    newest.sort((a, b) => oldestFirst(b, a));
    newest.length = Math.min(newest.length, most);
  };
  for await (const slice of positionsOf(task, candidates, task.filter)) {
    found += slice.length;
    newest.push(...slice);
    if (newest.length > 2 * most + POSITIONS_SORTED_MIN) keepNewest();
  }
  keepNewest();
  return { ...totalOf(bounds, found), ids: newest.slice(window.offset).map(({ id }) => id) };
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
async function byIds({ db, engine, workspaceId }: Task, ids: readonly number[]): Promise<Client[]> {
  if (ids.length === 0) return [];
  const rows = await selectClients(db)
    .where('clients.workspace_id', '=', workspaceId)
    .where('clients.id', 'in', engine.listOf(ids))
    .execute();
  const byId = new Map(rows.map((row) => [row.id, toClient(row)]));
  return ids.flatMap((id) => byId.get(id) ?? []);
}
