import type { Insertable, Selectable } from 'kysely';
import type { ClientImports, RowChanges } from '../../domain/clients/import-clients.ts';
import type { Engine } from '../engines/engine.ts';
import type { Tables } from '../tables.ts';
import { clearExchangedValues } from './clear-exchanged-values.ts';
import { type EventContext, newEvent } from './client-events.ts';
import type { ClientUnitOfWork } from './client-unit-of-work.ts';
import { openDryRun } from './dry-run.ts';
import { decideRows, type ImportBatch } from './import-batch.ts';

type Row = Selectable<Tables['clients']>;

export function openClientImports(engine: Engine): ClientImports {
  return {
    rowsAtOnce: engine.rowsPerImport,
    openDryRun: (workspaceId) => openDryRun(engine, workspaceId),
  };
}

/** Reads the existing clients of a batch together, decides about each row in memory, and writes all changes together. */
export function rowChangesIn(work: ClientUnitOfWork): RowChanges {
  const { engine, db, workspaceId, at, lastIds } = work;
  return {
    importRows: async (rows, only) => {
      const layers = [{ db, listOf: engine.listOf }] as const;
      const { batch, outcomes } = await decideRows(layers, workspaceId, rows, { ...lastIds, at, only });
      if (!batch.isEmpty()) await write(work, batch);
      return { outcomes, clients: batch.clients };
    },
  };
}

async function write(work: ClientUnitOfWork, batch: ImportBatch): Promise<void> {
  const { engine, db, workspaceId } = work;
  if (batch.newGroups.length > 0) await engine.insertMany(db, 'groups', batch.newGroups);
  await clearExchangedValues(work, batch.changedClients());
  const inserts: Row[] = [];
  for (const client of batch.changedClients()) {
    const { row, before } = client;
    if (before) {
      work.noteChanged(before, row);
      await db
        .updateTable('clients')
        .set(row)
        .where('workspace_id', '=', workspaceId)
        .where('id', '=', row.id)
        .execute();
    } else {
      work.noteAdded(row);
      inserts.push(row);
    }
  }
  if (inserts.length > 0) await engine.insertMany(db, 'clients', inserts.sort(byPosition));
  work.addEvents(eventsOf(work, batch));
  Object.assign(work.lastIds, batch.lastIds);
}

/** The order of all eight lists, so that rows on the same index page are inserted together and the page is read once. */
function byPosition(a: Row, b: Row): number {
  return a.created_at - b.created_at || a.id - b.id;
}

function* eventsOf(context: EventContext, batch: ImportBatch): Generator<Insertable<Tables['client_events']>> {
  for (const client of batch.changedClients()) {
    yield newEvent(context, client.row.id, client.before ? 'changed' : 'added', batch.changesOf(client));
  }
}
