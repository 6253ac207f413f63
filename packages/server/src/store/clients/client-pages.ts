import type { ClientFilter } from '../../domain/clients/client-filter.ts';
import type { ClientPages, ListOrder, PageSlice, PageWindow } from '../../domain/clients/list-clients.ts';
import type { Engine, ReadOnlyDatabase } from '../engines/engine.ts';
import { readStamp } from '../stamp.ts';
import { combinationsFor, type FilterCombination } from './client-index/combination.ts';
import { ListCache } from './client-index/list-cache.ts';
import { type ListPart, ListUnion, type LocatedPage, rangeOf, type UnionReads } from './client-index/list-union.ts';
import { PageFinder } from './client-index/page-finder.ts';
import { PageStatements } from './client-index/page-statements.ts';
import { openFewClients } from './few-clients.ts';
import { findGroupIds } from './filtered-groups.ts';
import { type ListRow, listRowToClient, positionOf } from './list-row.ts';

/**
 * Reads any page of any list with its exact total, without counting and without skipping more rows than a run has.
 * `ListUnion` computes where the page begins.
 */
export function openClientPages(engine: Engine): ClientPages {
  const cache = new ListCache();
  const statements = new PageStatements(engine);
  const readFew = openFewClients(engine);

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
    const rows = await statements.read(workspaceId, combinationsIn(union), union.range, located.page);
    // Without a row there is no stamp to compare, which is rare enough to read the store again.
    return rows[0]?.[0] === stamp ? toPageSlice({ stamp, total: located.total }, rows, window) : undefined;
  }

  /** Updates what is cached and reads the page, all in one snapshot. */
  function readFromSnapshot(workspaceId: number, filter: ClientFilter, window: PageWindow): Promise<PageSlice> {
    return engine.listSnapshot(async (db) => {
      const stamp = await readStamp(db, workspaceId);
      const union = await loadUnion(db, workspaceId, filter, stamp);
      const located = await locate(union, window, {
        loadRuns: ({ combination, pageFinder }, position) => pageFinder.loadAt(db, workspaceId, combination, position),
        count: async (parts) => (await statements.count(workspaceId, parts, db)).counts,
      });
      if (!located) throw new Error('A page could not be located although everything was loaded.');
      cache.keep(workspaceId, filter, { stamp, union });
      const rows = await statements.read(workspaceId, combinationsIn(union), union.range, located.page, db);
      return toPageSlice({ stamp, total: located.total }, rows, window);
    });
  }

  async function loadUnion(db: ReadOnlyDatabase, workspaceId: number, filter: ClientFilter, stamp: string) {
    const groupIds = await findGroupIds(db, engine, workspaceId, filter);
    const combinations = combinationsFor(filter, groupIds);
    const earlier = combinations.map((each) => ({ combination: each, earlier: cache.pageFinder(workspaceId, each) }));
    const pageFinders = await PageFinder.loadAll({ db, engine, workspaceId, stamp }, earlier);
    const lists = combinations.map((combination, index) => {
      return { combination, pageFinder: pageFinders[index] as PageFinder };
    });
    return new ListUnion(lists, rangeOf(filter));
  }

  return {
    read: async (workspaceId, filter, window) => {
      if (filter.email !== undefined || filter.referenceIds) return readFew(workspaceId, filter, window);
      return (
        (await readFromCache(workspaceId, filter, window)) ?? (await readFromSnapshot(workspaceId, filter, window))
      );
    },
  };
}

function combinationsIn({ lists }: ListUnion): FilterCombination[] {
  return lists.map(({ combination }) => combination);
}

/** With a cursor, one more row than requested is read, to see whether there are more. */
async function locate(
  union: ListUnion,
  window: PageWindow,
  reads: UnionReads,
): Promise<{ page: LocatedPage; total: number } | undefined> {
  const total = await union.total(reads);
  if (total === undefined) return undefined;
  const limit = window.limit + 1;
  if ('olderThan' in window) return { total, page: { direction: 'older', from: window.olderThan, skip: 0, limit } };
  if ('newerThan' in window) return { total, page: { direction: 'newer', from: window.newerThan, skip: 0, limit } };
  const page = await union.locate({ ...window, order: orderOf(window) }, reads);
  return page && { page, total };
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
