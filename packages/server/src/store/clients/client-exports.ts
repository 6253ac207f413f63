import { type ClientFilter, type ClientSearch, isPlain } from '../../domain/clients/client-filter.ts';
import type { ClientExports } from '../../domain/clients/export-clients.ts';
import type { Engine, Reads, Snapshot } from '../engines/engine.ts';
import { matches } from './client-filter.ts';
import { type ClientRow, selectClients, toClient } from './client-rows.ts';
import { readSlices } from './list-slices.ts';
import { isSought } from './sought.ts';

const BATCH = 2000;

/** Seeks from batch to batch within one snapshot: memory is one batch, and nothing is read twice. */
export function openClientExports(engine: Engine): ClientExports {
  return {
    async *readAll(workspaceId, search, signal) {
      signal?.throwIfAborted();
      const snapshot = await engine.openSnapshot();
      try {
        const batches = isPlain(search)
          ? everyBatch(snapshot.db, workspaceId, search, signal)
          : soughtBatches(engine, snapshot, workspaceId, search, signal);
        for await (const rows of batches) if (rows.length > 0) yield rows.map(toClient);
      } finally {
        await snapshot.close();
      }
    },
  };
}

async function* everyBatch(
  db: Reads,
  workspaceId: number,
  filter: ClientFilter,
  signal: AbortSignal | undefined,
): AsyncGenerator<ClientRow[]> {
  let last: ClientRow | undefined;
  do {
    signal?.throwIfAborted();
    const rows = await readAfter(db, workspaceId, filter, last);
    yield rows;
    last = rows.length === BATCH ? rows.at(-1) : undefined;
  } while (last);
}

/** Slice by slice: a statement that looked for a whole batch could have to look at everybody to find it. */
function soughtBatches(
  engine: Engine,
  { db }: Snapshot,
  workspaceId: number,
  search: ClientSearch,
  signal: AbortSignal | undefined,
): AsyncGenerator<ClientRow[]> {
  return readSlices({ db, engine, signal }, { workspaceId, search, direction: 'oldest' }, (slice) =>
    inListOrder(db).where(isSought(workspaceId, search)).where(slice).execute(),
  );
}

function readAfter(
  db: Reads,
  workspaceId: number,
  filter: ClientFilter,
  last: ClientRow | undefined,
): Promise<ClientRow[]> {
  const query = inListOrder(db).where(matches(workspaceId, filter)).limit(BATCH);
  if (!last) return query.execute();
  return query
    .where(({ eb, refTuple, tuple }) =>
      eb(refTuple('clients.created_at', 'clients.id'), '>', tuple(last.created_at, last.id)),
    )
    .execute();
}

function inListOrder(db: Reads) {
  return selectClients(db).orderBy('clients.created_at').orderBy('clients.id');
}
