import type { Insertable, Selectable, Transaction } from 'kysely';
import type { ClientImports } from '../domain/import-clients.ts';
import type { Change } from '../domain/manage-clients.ts';
import { type EventContext, newEvent } from './client-events.ts';
import { applyChanges } from './client-index/apply-changes.ts';
import { IndexChanges } from './client-index/index-changes.ts';
import type { Levels } from './client-index/levels.ts';
import { decideRows } from './decide-rows.ts';
import { openDryRun } from './dry-run.ts';
import type { Engine } from './engines/engine.ts';
import type { ImportBatch } from './import-batch.ts';
import { parkEmails } from './parked-emails.ts';
import type { Tables } from './tables.ts';
import { lockWorkspace, raiseVersion } from './workspaces.ts';

type Row = Selectable<Tables['clients']>;

/** Many clients at once: what exists is looked up together, decided row by row in memory, and written together. */
export function openClientImports(engine: Engine, levels: Levels): ClientImports {
  return {
    rowsAtOnce: engine.rowsPerImport,
    importRows: (change, rows, { at }) =>
      engine.write(async (db) => {
        const locked = await lockWorkspace(db, change.workspaceId);
        const layers = [{ db, listOf: engine.listOf }] as const;
        const { batch, outcomes } = await decideRows(layers, change.workspaceId, rows, { ...locked, at });
        if (!batch.isEmpty()) await write({ engine, levels }, db, change, batch, { version: locked.nextVersion, at });
        return outcomes;
      }),
    openDryRun: (workspaceId) => openDryRun(engine, workspaceId),
  };
}

async function write(
  { engine, levels }: { engine: Engine; levels: Levels },
  db: Transaction<Tables>,
  change: Change,
  batch: ImportBatch,
  moment: { version: number; at: number },
): Promise<void> {
  const context = { ...change, ...moment };
  if (batch.newGroups.length > 0) await engine.insertMany(db, 'groups', batch.newGroups);
  await parkEmails(engine, db, change.workspaceId, batch.changedClients());
  const inserts: Row[] = [];
  const places = new IndexChanges();
  for (const client of batch.changedClients()) {
    const { row, before } = client;
    if (before) {
      places.replace(before, row);
      await db
        .updateTable('clients')
        .set(row)
        .where('workspace_id', '=', change.workspaceId)
        .where('id', '=', row.id)
        .execute();
    } else {
      places.add(row);
      inserts.push(row);
    }
  }
  if (inserts.length > 0) await engine.insertMany(db, 'clients', inserts.sort(byPlace));
  await engine.insertMany(db, 'client_events', eventsOf(context, batch));
  await applyChanges({ engine, db, workspaceId: change.workspaceId, version: moment.version }, places, levels);
  await raiseVersion(db, change.workspaceId, batch.numbers);
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
