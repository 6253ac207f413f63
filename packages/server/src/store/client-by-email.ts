import type { ClientFilter, PageWindow, Position, Stretch } from '../domain/list-clients.ts';
import { matches } from './client-filter.ts';
import { type ClientRow, selectClients, toClient } from './client-rows.ts';
import type { Engine } from './engines/engine.ts';

/** One email is in at most as many groups as there are, so its few clients are all read, by the index on emails. */
export function readByEmail(
  engine: Engine,
  workspaceId: number,
  filter: ClientFilter,
  window: PageWindow,
): Promise<Stretch> {
  return engine.listSnapshot(async (db) => {
    const { version } = await db
      .selectFrom('workspaces')
      .where('id', '=', workspaceId)
      .select('version')
      .executeTakeFirstOrThrow();
    const rows = await selectClients(db)
      .where(matches(workspaceId, filter))
      .orderBy('clients.created_at', 'desc')
      .orderBy('clients.id', 'desc')
      .execute();
    const { start, end } = boundsOf(rows, window);
    const page = rows.slice(start, end);
    return {
      version,
      totalCount: rows.length,
      clients: page.map(toClient),
      first: placeOf(page[0]),
      last: placeOf(page.at(-1)),
      hasNewer: start > 0,
      hasOlder: end < rows.length,
    };
  });
}

function boundsOf(rows: readonly ClientRow[], window: PageWindow): { start: number; end: number } {
  if ('offset' in window) return { start: window.offset, end: window.offset + window.limit };
  if ('olderThan' in window) {
    const start = rows.filter((row) => !isOlder(row, window.olderThan)).length;
    return { start, end: start + window.limit };
  }
  const end = rows.filter((row) => isNewer(row, window.newerThan)).length;
  return { start: Math.max(0, end - window.limit), end };
}

function isOlder(row: ClientRow, than: Position): boolean {
  return row.created_at < than.createdAt || (row.created_at === than.createdAt && row.id < than.id);
}

function isNewer(row: ClientRow, than: Position): boolean {
  return row.created_at > than.createdAt || (row.created_at === than.createdAt && row.id > than.id);
}

function placeOf(row: ClientRow | undefined): Position | undefined {
  return row && { createdAt: row.created_at, id: row.id };
}
