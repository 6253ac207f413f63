import type { Insertable, Selectable } from 'kysely';
import type { ClientImports, RowChanges } from '../domain/import-clients.ts';
import { type EventContext, newEvent } from './client-events.ts';
import type { Engine } from './engines/engine.ts';
import { ImportBatch } from './import-batch.ts';
import { loadKnown } from './import-known.ts';
import type { Tables } from './tables.ts';
import type { WorkspaceWork } from './work.ts';

type Row = Selectable<Tables['clients']>;

export function openClientImports(engine: Engine): ClientImports {
  return {
    rowsAtOnce: engine.rowsPerImport,
    tryRows: (workspaceId, rows, at) =>
      engine.snapshot(async (db) => {
        const known = await loadKnown(engine, db, workspaceId, rows);
        const batch = new ImportBatch(workspaceId, known, { lastGroupId: 0, lastClientId: 0 }, at);
        return rows.map((row) => batch.apply(row));
      }),
  };
}

/** Many clients at once: what exists is looked up together, decided row by row in memory, and written together. */
export function rowChangesIn(work: WorkspaceWork): RowChanges {
  const { engine, db, workspaceId, at, numbers } = work;
  return {
    importRows: async (rows) => {
      const known = await loadKnown(engine, db, workspaceId, rows);
      const batch = new ImportBatch(workspaceId, known, numbers, at);
      const outcomes = rows.map((row) => batch.apply(row));
      if (!batch.isEmpty()) await write(work, batch);
      return outcomes;
    },
  };
}

async function write(work: WorkspaceWork, batch: ImportBatch): Promise<void> {
  const { engine, db, workspaceId, places } = work;
  if (batch.newGroups.length > 0) await engine.insertMany(db, 'groups', batch.newGroups);
  const inserts: Row[] = [];
  for (const client of batch.changedClients()) {
    const { row, before } = client;
    if (before) {
      places.replace(before, row);
      await db
        .updateTable('clients')
        .set(row)
        .where('workspace_id', '=', workspaceId)
        .where('id', '=', row.id)
        .execute();
    } else {
      places.add(row);
      inserts.push(row);
    }
  }
  if (inserts.length > 0) await engine.insertMany(db, 'clients', inserts.sort(byPlace));
  work.addEvents(eventsOf(work, batch));
  Object.assign(work.numbers, batch.numbers);
}

/** The order of all eight lists: what falls on one page of an index comes together, so the page is fetched once. */
function byPlace(a: Row, b: Row): number {
  return a.created_at - b.created_at || a.id - b.id;
}

function* eventsOf(context: EventContext, batch: ImportBatch): Generator<Insertable<Tables['client_events']>> {
  for (const client of batch.changedClients()) {
    yield newEvent(context, client.row.id, client.before ? 'changed' : 'added', batch.changesOf(client));
  }
}
