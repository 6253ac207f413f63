import type { ClientExports } from '../domain/export-clients.ts';
import type { ClientFilter } from '../domain/list-clients.ts';
import { matches } from './client-filter.ts';
import { type ClientRow, selectClients, toClient } from './client-rows.ts';
import type { Engine, Reads } from './engines/engine.ts';

const BATCH = 2000;

/** Seeks from batch to batch within one snapshot: memory is one batch, and nothing is read twice. */
export function openClientExports(engine: Engine): ClientExports {
  return {
    async *readAll(workspaceId, filter) {
      const snapshot = await engine.openSnapshot();
      try {
        let last: ClientRow | undefined;
        do {
          const rows = await readAfter(snapshot.db, workspaceId, filter, last);
          if (rows.length > 0) yield rows.map(toClient);
          last = rows.length === BATCH ? rows.at(-1) : undefined;
        } while (last);
      } finally {
        await snapshot.close();
      }
    },
  };
}

function readAfter(
  db: Reads,
  workspaceId: number,
  filter: ClientFilter,
  last: ClientRow | undefined,
): Promise<ClientRow[]> {
  const query = selectClients(db)
    .where(matches(workspaceId, filter))
    .orderBy('clients.created_at')
    .orderBy('clients.id')
    .limit(BATCH);
  if (!last) return query.execute();
  return query
    .where(({ eb, refTuple, tuple }) =>
      eb(refTuple('clients.created_at', 'clients.id'), '>', tuple(last.created_at, last.id)),
    )
    .execute();
}
