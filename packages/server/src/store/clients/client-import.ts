import type { Insertable, Selectable } from 'kysely';
import type { ClientImports, RowChanges } from '../../domain/clients/import-clients.ts';
import type { Engine } from '../engines/engine.ts';
import type { Tables } from '../tables.ts';
import { type EventContext, newEvent } from './client-events.ts';
import type { ClientWork } from './client-work.ts';
import { decideRows } from './decide-rows.ts';
import { openDryRun } from './dry-run.ts';
import type { ImportBatch } from './import-batch.ts';
import { parkEmails } from './parked-emails.ts';

type Row = Selectable<Tables['clients']>;

export function openClientImports(engine: Engine): ClientImports {
  return {
    rowsAtOnce: engine.rowsPerImport,
    openDryRun: (workspaceId) => openDryRun(engine, workspaceId),
  };
}

/** Many clients at once: what exists is looked up together, decided row by row in memory, and written together. */
export function rowChangesIn(work: ClientWork): RowChanges {
  const { engine, db, workspaceId, at, numbers } = work;
  return {
    importRows: async (rows) => {
      const layers = [{ db, listOf: engine.listOf }] as const;
      const { batch, outcomes } = await decideRows(layers, workspaceId, rows, { ...numbers, at });
      if (!batch.isEmpty()) await write(work, batch);
      return { outcomes, clients: batch.clients };
    },
  };
}

async function write(work: ClientWork, batch: ImportBatch): Promise<void> {
  const { engine, db, workspaceId, places } = work;
  if (batch.newGroups.length > 0) await engine.insertMany(db, 'groups', batch.newGroups);
  await parkEmails(work, batch.changedClients());
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
