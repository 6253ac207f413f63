import type { ClientFilter } from '../../domain/clients/client-filter.ts';
import type { ClientPages, PageWindow, Stretch } from '../../domain/clients/list-clients.ts';
import type { Engine, Reads } from '../engines/engine.ts';
import { readStamp } from '../stamp.ts';
import { openClientsByEmail } from './client-by-email.ts';
import { ANY, type Combination, combinationFor } from './client-index/combination.ts';
import { Directories } from './client-index/directories.ts';
import { Directory } from './client-index/directory.ts';
import { PageStatements, type StretchRequest } from './client-index/page-statement.ts';
import { type ListedRow, placeOf, toListedClient } from './listed-row.ts';

/** Any page of any list, with its exact total, without counting and without skipping more than a run. */
export function openClientPages(engine: Engine): ClientPages {
  const directories = new Directories();
  const statements = new PageStatements(engine);
  const readByEmail = openClientsByEmail(engine);

  /** Goes by what is in memory; gives nothing when that turns out to be behind the store. */
  async function readByMemory(workspaceId: number, filter: ClientFilter, window: PageWindow) {
    const list = directories.find(workspaceId, filter);
    const request = list && requestFor(list.directory, window);
    if (!list || !request) return undefined;
    const rows = await statements.run(workspaceId, list.combination, request);
    // Without a row there is no stamp to go by; that is rare enough to look at the store again.
    return rows[0]?.[0] === list.directory.stamp ? toStretch(list.directory, rows, window) : undefined;
  }

  /** Brings memory up to date and reads the page, all at one moment. */
  function readBySnapshot(workspaceId: number, filter: ClientFilter, window: PageWindow): Promise<Stretch> {
    return engine.listSnapshot(async (db) => {
      const combination = await combinationOf(db, workspaceId, filter);
      if (!combination) return nobody(await readStamp(db, workspaceId));
      const directory = await Directory.load(db, workspaceId, combination, directories.get(workspaceId, combination));
      if ('offset' in window) await directory.loadFor(db, workspaceId, combination, window.offset);
      directories.keep(workspaceId, filter, { combination, directory });
      const request = requestFor(directory, window);
      if (!request) throw new Error('A directory did not load what it was asked for.');
      return toStretch(directory, await statements.run(workspaceId, combination, request, db), window);
    });
  }

  return {
    read: async (workspaceId, filter, window) => {
      if (filter.email !== undefined) return readByEmail(workspaceId, filter, window);
      return (await readByMemory(workspaceId, filter, window)) ?? (await readBySnapshot(workspaceId, filter, window));
    },
  };
}

/** One more than is wanted, when going by cursor, tells whether there is more. */
function requestFor(directory: Directory, window: PageWindow): StretchRequest | undefined {
  if ('olderThan' in window) return { direction: 'older', from: window.olderThan, skip: 0, limit: window.limit + 1 };
  if ('newerThan' in window) return { direction: 'newer', from: window.newerThan, skip: 0, limit: window.limit + 1 };
  const start = directory.locate(window.offset, window.limit);
  return start && { ...start, limit: window.offset < directory.total ? window.limit : 0 };
}

function toStretch({ stamp, total }: Directory, found: ListedRow[], window: PageWindow): Stretch {
  const hasMore = found.length > window.limit;
  if (hasMore) found.splice('newerThan' in window ? 0 : window.limit, 1);
  const [first, last] = [found[0], found.at(-1)];
  const offset = 'offset' in window ? window.offset : undefined;
  return {
    stamp,
    totalCount: total,
    clients: found.map(toListedClient),
    first: first && placeOf(first),
    last: last && placeOf(last),
    hasNewer: offset === undefined ? 'olderThan' in window || hasMore : offset > 0,
    hasOlder: offset === undefined ? 'newerThan' in window || hasMore : offset + found.length < total,
  };
}

/** The combination that a filter means at this moment; nothing when it names a group that does not exist. */
async function combinationOf(db: Reads, workspaceId: number, filter: ClientFilter): Promise<Combination | undefined> {
  if (filter.groupName === undefined) return combinationFor(filter, ANY);
  const group = await db
    .selectFrom('groups')
    .where('workspace_id', '=', workspaceId)
    .where('name_folded', '=', filter.groupName)
    .select('id')
    .executeTakeFirst();
  return group && combinationFor(filter, group.id);
}

function nobody(stamp: string): Stretch {
  return { stamp, totalCount: 0, clients: [], hasNewer: false, hasOlder: false };
}
