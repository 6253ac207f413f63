import type { Insertable, Selectable } from 'kysely';
import type { Tables } from '../tables.ts';
import { clearExchangedValues } from './clear-exchanged-values.ts';
import type { ChangedClient, ClientBatch } from './client-batch.ts';
import { type EventContext, newEvent } from './client-events.ts';
import type { ClientUnitOfWork } from './client-unit-of-work.ts';

type Row = Selectable<Tables['clients']>;

/** Who changed a client, when, and in which version. */
type ContextOf = (client: ChangedClient) => EventContext;

/** Writes all changes of a batch together. */
export async function writeBatch(
  work: ClientUnitOfWork,
  batch: ClientBatch,
  contextOf: ContextOf = () => work,
): Promise<void> {
  const { engine, db, workspaceId } = work;
  if (batch.newGroups.length > 0) await engine.insertMany(db, 'groups', batch.newGroups);
  await clearExchangedValues(work, batch.changedClients());
  const inserts: Row[] = [];
  for (const client of batch.changedClients()) {
    const { row, before } = client;
    if (before) {
      work.noteChanged(before, row);
      // Without the key, to which other tables refer: SQLite would look there for rows of every client.
      const { workspace_id: _workspace, id, ...columns } = row;
      await db
        .updateTable('clients')
        .set(columns)
        .where('workspace_id', '=', workspaceId)
        .where('id', '=', id)
        .execute();
    } else {
      work.noteAdded(row);
      inserts.push(row);
    }
  }
  if (inserts.length > 0) await engine.insertMany(db, 'clients', inserts.sort(byPosition));
  work.addEvents(eventsOf(batch, contextOf));
  Object.assign(work.lastIds, batch.lastIds);
}

/** The order of all eight lists, so that rows on the same index page are inserted together and the page is read once. */
function byPosition(a: Row, b: Row): number {
  return a.created_at - b.created_at || a.id - b.id;
}

function* eventsOf(batch: ClientBatch, contextOf: ContextOf): Generator<Insertable<Tables['client_events']>> {
  for (const client of batch.changedClients()) {
    const kind = client.before ? 'changed' : 'added';
    yield newEvent(contextOf(client), client.row.id, kind, batch.changesOf(client));
  }
}
