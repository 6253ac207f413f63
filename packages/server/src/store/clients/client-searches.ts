import type { Client } from '../../domain/clients/client.ts';
import type { ClientSearch } from '../../domain/clients/client-filter.ts';
import type { ClientSearches } from '../../domain/clients/search-clients.ts';
import type { Engine } from '../engines/engine.ts';
import { AdaptiveSliceSize, pauseBetweenSlices } from './adaptive-slice-size.ts';
import { selectClients, toClient } from './client-rows.ts';
import { type RowPosition, readSlices } from './list-slices.ts';
import { matchesSearch } from './search-conditions.ts';

/** Up to this position, the newest matches are kept in memory while the rows are read. Beyond it, the list is read in its order. */
const KEPT_MAX = 10_000;

interface Window {
  offset: number;
  limit: number;
}

/**
 * Reads in the order of the rows if all clients have to be read, which is the fastest: with a million clients in random
 * order of time, it is five times as fast as reading in the order of the list. Reads in the order of the list if a filter
 * narrows the search, so that its index is used, or if the page is far down the list (decision 65).
 */
export function openClientSearches(engine: Engine): ClientSearches {
  return {
    find: async (workspaceId, search, window, signal) => {
      const walk = isNarrow(search) || window.offset + window.limit > KEPT_MAX ? findInList : findInRows;
      const { totalCount, ids } = await walk(engine, { workspaceId, search, window, signal });
      return { totalCount, clients: await byIds(engine, workspaceId, ids) };
    },
  };
}

interface Task {
  workspaceId: number;
  search: ClientSearch;
  window: Window;
  signal: AbortSignal | undefined;
}

interface Found {
  totalCount: number;
  ids: number[];
}

function isNarrow({ fragment, ...filter }: ClientSearch): boolean {
  return Object.values(filter).some((value) => value !== undefined);
}

async function findInRows(engine: Engine, { workspaceId, search, window, signal }: Task): Promise<Found> {
  const { last } = await engine.reads
    .selectFrom('workspaces')
    .where('id', '=', workspaceId)
    .select('last_client_id as last')
    .executeTakeFirstOrThrow();
  const newest = new NewestPositions(window.offset + window.limit);
  const size = new AdaptiveSliceSize(engine.sliceMs);
  let totalCount = 0;
  for (let first = 0; first < last; ) {
    signal?.throwIfAborted();
    const positions = await size.measure((rows) => {
      const range = { first, last: first + rows };
      first = range.last;
      return positionsInRange(engine, { workspaceId, search, range });
    });
    totalCount += positions.length;
    newest.add(positions);
    await pauseBetweenSlices();
  }
  const ids = newest.inOrder().slice(window.offset);
  return { totalCount, ids: ids.map(({ id }) => id) };
}

function positionsInRange(
  engine: Engine,
  { workspaceId, search, range }: { workspaceId: number; search: ClientSearch; range: { first: number; last: number } },
): Promise<RowPosition[]> {
  return engine.reads
    .selectFrom('clients')
    .where(matchesSearch(workspaceId, search))
    .where('clients.id', '>', range.first)
    .where('clients.id', '<=', range.last)
    .select(['clients.id', 'clients.created_at'])
    .execute();
}

async function findInList(engine: Engine, { workspaceId, search, window, signal }: Task): Promise<Found> {
  const found: Found = { totalCount: 0, ids: [] };
  const options = { db: engine.reads, engine, signal };
  const list = { workspaceId, search, direction: 'newest' } as const;
  const slices = readSlices(options, list, (slice) =>
    engine.reads
      .selectFrom('clients')
      .where(matchesSearch(workspaceId, search))
      .where(slice)
      .orderBy('clients.created_at', 'desc')
      .orderBy('clients.id', 'desc')
      .select('clients.id')
      .execute(),
  );
  for await (const rows of slices) {
    const first = Math.max(0, window.offset - found.totalCount);
    const wanted = rows.slice(first, first + window.limit - found.ids.length);
    for (const { id } of wanted) found.ids.push(id);
    found.totalCount += rows.length;
  }
  return found;
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

/** How many positions are added between two sorts, each of which takes a few milliseconds. */
const SORT_AFTER = 5000;

/** Keeps the newest of the added positions. */
class NewestPositions {
  readonly #kept: number;
  #positions: RowPosition[] = [];

  constructor(kept: number) {
    this.#kept = kept;
  }

  add(positions: readonly RowPosition[]): void {
    for (const position of positions) this.#positions.push(position);
    if (this.#positions.length > this.#kept + SORT_AFTER) this.#positions = this.inOrder();
  }

  inOrder(): RowPosition[] {
    return this.#positions.sort((a, b) => b.created_at - a.created_at || b.id - a.id).slice(0, this.#kept);
  }
}
