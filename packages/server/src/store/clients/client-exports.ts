import { type ClientFilter, type ClientSearch, hasOnlyApiFilters } from '../../domain/clients/client-filter.ts';
import type { ClientExports } from '../../domain/clients/export-clients.ts';
import type { Engine, ReadOnlyDatabase, Snapshot } from '../engines/engine.ts';
import { matchesFilter } from './client-filter.ts';
import { type ClientRow, selectClients, toClient } from './client-rows.ts';
import { readSlices } from './list-slices.ts';
import { matchesSearch } from './search-conditions.ts';

const BATCH_ROWS = 2000;

/** Reads batch by batch within one snapshot, each from the end of the previous one, and keeps only one batch in memory. */
export function openClientExports(engine: Engine): ClientExports {
  return {
    async *readAll(workspaceId, search, signal) {
      signal?.throwIfAborted();
      const snapshot = await engine.openSnapshot();
      try {
        const batches = hasOnlyApiFilters(search)
          ? allBatches(snapshot.db, workspaceId, search, signal)
          : searchBatches(engine, snapshot, workspaceId, search, signal);
        for await (const rows of batches) if (rows.length > 0) yield rows.map(toClient);
      } finally {
        await snapshot.close();
      }
    },
  };
}

async function* allBatches(
  db: ReadOnlyDatabase,
  workspaceId: number,
  filter: ClientFilter,
  signal: AbortSignal | undefined,
): AsyncGenerator<ClientRow[]> {
  let last: ClientRow | undefined;
  do {
    signal?.throwIfAborted();
    const rows = await readAfter(db, workspaceId, filter, last);
    yield rows;
    last = rows.length === BATCH_ROWS ? rows.at(-1) : undefined;
  } while (last);
}

/** Reads slice by slice, because a statement that searches for a whole batch might have to read all clients. */
function searchBatches(
  engine: Engine,
  { db }: Snapshot,
  workspaceId: number,
  search: ClientSearch,
  signal: AbortSignal | undefined,
): AsyncGenerator<ClientRow[]> {
  return readSlices({ db, engine, signal }, { workspaceId, search, direction: 'oldest' }, (slice) =>
    inListOrder(db).where(matchesSearch(workspaceId, search)).where(slice).execute(),
  );
}

function readAfter(
  db: ReadOnlyDatabase,
  workspaceId: number,
  filter: ClientFilter,
  last: ClientRow | undefined,
): Promise<ClientRow[]> {
  const query = inListOrder(db).where(matchesFilter(workspaceId, filter)).limit(BATCH_ROWS);
  if (!last) return query.execute();
  return query
    .where(({ eb, refTuple, tuple }) =>
      eb(refTuple('clients.created_at', 'clients.id'), '>', tuple(last.created_at, last.id)),
    )
    .execute();
}

function inListOrder(db: ReadOnlyDatabase) {
  return selectClients(db).orderBy('clients.created_at').orderBy('clients.id');
}
