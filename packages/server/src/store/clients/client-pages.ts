import type { ClientFilter } from '../../domain/clients/client-filter.ts';
import type { ClientPages, PageSlice, PageWindow } from '../../domain/clients/list-clients.ts';
import type { Engine, ReadOnlyDatabase } from '../engines/engine.ts';
import { readStamp } from '../stamp.ts';
import { openClientsByEmail } from './client-by-email.ts';
import { ANY, combinationFor, type FilterCombination } from './client-index/combination.ts';
import { PageFinder } from './client-index/page-finder.ts';
import { PageFinderCache } from './client-index/page-finder-cache.ts';
import { type PageSliceRequest, PageStatements } from './client-index/page-statements.ts';
import { type ListRow, listRowToClient, positionOf } from './list-row.ts';

/**
 * Reads any page of any list with its exact total, without counting and without skipping more rows than a run has. `PageFinder`
 * computes where the page begins.
 */
export function openClientPages(engine: Engine): ClientPages {
  const pageFinderCache = new PageFinderCache();
  const statements = new PageStatements(engine);
  const readByEmail = openClientsByEmail(engine);

  /** Uses the cached page finder. Returns `undefined` if it is missing or out of date. */
  async function readFromCache(workspaceId: number, filter: ClientFilter, window: PageWindow) {
    const list = pageFinderCache.find(workspaceId, filter);
    const request = list && requestFor(list.pageFinder, window);
    if (!list || !request) return undefined;
    const rows = await statements.run(workspaceId, list.combination, request);
    // Without a row there is no stamp to compare, which is rare enough to read the store again.
    return rows[0]?.[0] === list.pageFinder.stamp ? toPageSlice(list.pageFinder, rows, window) : undefined;
  }

  /** Updates the cached page finder and reads the page in one snapshot. */
  function readFromSnapshot(workspaceId: number, filter: ClientFilter, window: PageWindow): Promise<PageSlice> {
    return engine.listSnapshot(async (db) => {
      const combination = await combinationOf(db, workspaceId, filter);
      if (!combination) return emptyPage(await readStamp(db, workspaceId));
      const pageFinder = await PageFinder.load(
        db,
        workspaceId,
        combination,
        pageFinderCache.get(workspaceId, combination),
      );
      if ('offset' in window) await pageFinder.loadFor(db, workspaceId, combination, window.offset);
      pageFinderCache.keep(workspaceId, filter, { combination, pageFinder });
      const request = requestFor(pageFinder, window);
      if (!request) throw new Error('A page finder did not load the requested runs.');
      return toPageSlice(pageFinder, await statements.run(workspaceId, combination, request, db), window);
    });
  }

  return {
    read: async (workspaceId, filter, window) => {
      if (filter.email !== undefined) return readByEmail(workspaceId, filter, window);
      return (
        (await readFromCache(workspaceId, filter, window)) ?? (await readFromSnapshot(workspaceId, filter, window))
      );
    },
  };
}

/** With a cursor, one more row than requested is read, to see whether there are more. */
function requestFor(pageFinder: PageFinder, window: PageWindow): PageSliceRequest | undefined {
  if ('olderThan' in window) return { direction: 'older', from: window.olderThan, skip: 0, limit: window.limit + 1 };
  if ('newerThan' in window) return { direction: 'newer', from: window.newerThan, skip: 0, limit: window.limit + 1 };
  const start = pageFinder.locate(window.offset, window.limit);
  return start && { ...start, limit: window.offset < pageFinder.total ? window.limit : 0 };
}

function toPageSlice({ stamp, total }: PageFinder, found: ListRow[], window: PageWindow): PageSlice {
  const hasMore = found.length > window.limit;
  if (hasMore) found.splice('newerThan' in window ? 0 : window.limit, 1);
  const [first, last] = [found[0], found.at(-1)];
  const offset = 'offset' in window ? window.offset : undefined;
  return {
    stamp,
    totalCount: total,
    clients: found.map(listRowToClient),
    first: first && positionOf(first),
    last: last && positionOf(last),
    hasNewer: offset === undefined ? 'olderThan' in window || hasMore : offset > 0,
    hasOlder: offset === undefined ? 'newerThan' in window || hasMore : offset + found.length < total,
  };
}

/** The filter combination with the id of the group, or `undefined` if the group does not exist. */
async function combinationOf(
  db: ReadOnlyDatabase,
  workspaceId: number,
  filter: ClientFilter,
): Promise<FilterCombination | undefined> {
  if (filter.groupName === undefined) return combinationFor(filter, ANY);
  const group = await db
    .selectFrom('groups')
    .where('workspace_id', '=', workspaceId)
    .where('name_folded', '=', filter.groupName)
    .select('id')
    .executeTakeFirst();
  return group && combinationFor(filter, group.id);
}

function emptyPage(stamp: string): PageSlice {
  return { stamp, totalCount: 0, clients: [], hasNewer: false, hasOlder: false };
}
