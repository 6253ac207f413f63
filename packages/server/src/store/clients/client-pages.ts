import type { ClientFilter } from '../../domain/clients/client-filter.ts';
import type { ClientPages, PageSlice, PageWindow } from '../../domain/clients/list-clients.ts';
import type { ListOrder } from '../../domain/clients/list-orders.ts';
import type { Engine, ReadOnlyDatabase } from '../engines/engine.ts';
import { readStamp } from '../stamp.ts';
import { combinationsFor, INACTIVE } from './client-index/combination.ts';
import type { IndexLevels } from './client-index/levels.ts';
import type { ListCache } from './client-index/list-cache.ts';
import type { ListPart, RankReads } from './client-index/list-ranks.ts';
import { combinationsIn, ListUnion, type LocatedPage, rangeOf } from './client-index/list-union.ts';
import { PageFinder } from './client-index/page-finder.ts';
import { type ListSelection, PageStatements } from './client-index/page-statements.ts';
import { isOfFewClients, openFewClients, pageOfFew } from './few-clients.ts';
import { findGroupIds } from './filtered-groups.ts';
import { type ListRow, listRowToClient, positionOf } from './list-row.ts';

/**
 * Reads any page of any list with its exact total, without counting and without skipping more rows than a run has.
 * `ListUnion` computes where the page begins.
 */
export function openClientPages(engine: Engine, levels: IndexLevels, cache: ListCache): ClientPages {
  const statements = new PageStatements(engine);
  const findFew = openFewClients(engine);

  /** Uses what is cached. Returns `undefined` if something is missing or out of date. */
  async function readFromCache(workspaceId: number, filter: ClientFilter, window: PageWindow) {
    const list = cache.find(workspaceId, filter);
    if (!list) return undefined;
    const { stamp, union } = list;
    const hasEnds = union.ends !== undefined;
    const count = async (parts: readonly ListPart[]) => {
      const counted = await statements.count(workspaceId, parts);
      return counted.stamp === stamp ? counted.counts : undefined;
    };
    const located = await locate(union, window, { count });
    if (!located) return undefined;
    if (!hasEnds) cache.keep(workspaceId, filter, list);
    const rows = await readPieces(workspaceId, selectionOf(union, window), located.pieces);
    // Without a row there is no stamp to compare, which is rare enough to read the store again.
    const isCurrent = hasAllPieces(rows, located.pieces) && rows.every((row) => row[0] === stamp);
    return isCurrent ? toPageSlice({ stamp, total: located.total }, rows, window) : undefined;
  }

  /** Updates what is cached and reads the page, all in one snapshot. */
  function readFromSnapshot(workspaceId: number, filter: ClientFilter, window: PageWindow): Promise<PageSlice> {
    return engine.listSnapshot(async (db) => {
      const stamp = await readStamp(db, workspaceId);
      const union = await loadUnion(db, workspaceId, filter, stamp);
      const located = await locate(union, window, {
        loadRuns: (lists, positions) => PageFinder.loadRunsAt({ db, engine, workspaceId }, lists, positions),
        count: async (parts) => (await statements.count(workspaceId, parts, db)).counts,
      });
      if (!located) throw new Error('A page could not be located although everything was loaded.');
      cache.keep(workspaceId, filter, { stamp, union });
      const rows = await readPieces(workspaceId, selectionOf(union, window), located.pieces, db);
      return toPageSlice({ stamp, total: located.total }, rows, window);
    });
  }

  async function loadUnion(db: ReadOnlyDatabase, workspaceId: number, filter: ClientFilter, stamp: string) {
    const groupIds = await findGroupIds(db, engine, workspaceId, filter);
    const combinations = combinationsFor(filter, groupIds);
    const excluded =
      filter.clientStatus === 'active' ? combinations.map((each) => ({ ...each, clientStatus: INACTIVE })) : [];
    const wanted = [...combinations, ...excluded].map((combination) => {
      return { combination, earlier: cache.pageFinder(workspaceId, combination) };
    });
    const all = await PageFinder.loadAll({ db, engine, workspaceId, stamp }, wanted);
    const lists = { lists: all.slice(0, combinations.length), excluded: all.slice(combinations.length) };
    return new ListUnion(lists, { range: rangeOf(filter), levels });
  }

  /** The rows of consecutive pieces, newest first. */
  async function readPieces(
    workspaceId: number,
    selection: ListSelection,
    pieces: readonly LocatedPage[],
    snapshot?: ReadOnlyDatabase,
  ): Promise<ListRow[]> {
    const [only] = pieces;
    if (pieces.length === 1 && only) return statements.read(workspaceId, selection, only, snapshot);
    const rows: ListRow[] = [];
    for (const piece of pieces) rows.push(...(await statements.read(workspaceId, selection, piece, snapshot)));
    return rows;
  }

  return {
    read: async (workspaceId, filter, window) => {
      if (isOfFewClients(filter)) return pageOfFew(await findFew(workspaceId, filter, window.withUpdatedAt), window);
      return (
        (await readFromCache(workspaceId, filter, window)) ?? (await readFromSnapshot(workspaceId, filter, window))
      );
    },
  };
}

/** A piece without a row has no stamp either, so nothing may be missing. */
function hasAllPieces(rows: readonly ListRow[], pieces: readonly LocatedPage[]): boolean {
  if (pieces.length === 1) return rows.length > 0;
  return rows.length === pieces.reduce((sum, { limit }) => sum + limit, 0) && rows.length > 0;
}

function selectionOf({ lists, range, excluded }: ListUnion, { withUpdatedAt = false }: PageWindow): ListSelection {
  return { lists: combinationsIn(lists), range, activeOnly: excluded.length > 0, withUpdatedAt };
}

/** With a cursor, one more row than requested is read, to see whether there are more. */
async function locate(
  union: ListUnion,
  window: PageWindow,
  reads: RankReads,
): Promise<{ pieces: LocatedPage[]; total: number } | undefined> {
  const total = await union.total(reads);
  if (total === undefined) return undefined;
  const limit = 'offset' in window ? window.limit : window.limit + 1;
  const pieces = await union.locate({ ...window, order: orderOf(window), limit }, reads);
  return pieces && { pieces, total };
}

function orderOf({ order = 'newest' }: PageWindow): ListOrder {
  return order;
}

/** `found` is newest first. */
function toPageSlice(
  { stamp, total }: { stamp: string; total: number },
  found: ListRow[],
  window: PageWindow,
): PageSlice {
  const hasMore = found.length > window.limit;
  if (hasMore) found.splice('newerThan' in window ? 0 : window.limit, 1);
  const order = orderOf(window);
  if (order === 'oldest') found.reverse();
  const [first, last] = [found[0], found.at(-1)];
  return {
    stamp,
    totalCount: total,
    clients: found.map(listRowToClient),
    first: first && positionOf(first),
    last: last && positionOf(last),
    ...neighboursOf(window, { found: found.length, total, hasMore }),
  };
}

/** Whether there are more clients before and after those that were found. A cursor was made at a client on its other side. */
function neighboursOf(
  window: PageWindow,
  { found, total, hasMore }: { found: number; total: number; hasMore: boolean },
): Pick<PageSlice, 'hasPrevious' | 'hasNext'> {
  if ('offset' in window) return { hasPrevious: window.offset > 0, hasNext: window.offset + found < total };
  const isOnwards = 'olderThan' in window === (orderOf(window) === 'newest');
  return isOnwards ? { hasPrevious: true, hasNext: hasMore } : { hasPrevious: hasMore, hasNext: true };
}
