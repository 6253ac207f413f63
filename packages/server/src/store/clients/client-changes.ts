import type { Transaction } from 'kysely';
import type { Client } from '../../domain/clients/client.ts';
import { difference } from '../../domain/clients/client-event.ts';
import type { ClientChanges, ClientLookup } from '../../domain/clients/manage-clients.ts';
import { Failure } from '../../domain/failure.ts';
import { fold } from '../../domain/text.ts';
import type { Engine, Reads } from '../engines/engine.ts';
import type { Tables } from '../tables.ts';
import { readEvents } from './client-events.ts';
import { type ClientRow, selectClients, toClient, toColumns } from './client-rows.ts';
import type { ClientWork } from './client-work.ts';
import { freshReferences } from './fresh-references.ts';
import { findGroup, newGroup } from './groups.ts';

export function openClientLookup(engine: Engine): ClientLookup {
  return {
    find: async (workspaceId, referenceId) => {
      const row = await findByReference(engine.reads, workspaceId, referenceId);
      return row && toClient(row);
    },

    history: (workspaceId, referenceId) =>
      engine.snapshot(async (db) => {
        const clientId =
          (await findByReference(db, workspaceId, referenceId))?.id ??
          (await findErased(db, workspaceId, referenceId))?.client_id;
        return clientId === undefined ? [] : readEvents(db, workspaceId, clientId);
      }),
  };
}

/** Changes of clients one by one, each with its line in the client's history. */
export function clientChangesIn(work: ClientWork): ClientChanges {
  const { db, workspaceId, at, numbers, places } = work;
  return {
    add: async (client) => {
      const group = await findGroup(db, workspaceId, client.groupName);
      const existing = group && (await findByEmail(db, workspaceId, group.id, client.email));
      if (existing) return { client: toClient(existing), added: false };

      const into = group ?? newGroup({ workspaceId, id: ++numbers.lastGroupId, name: client.groupName, createdAt: at });
      if (!group) await db.insertInto('groups').values(into).execute();
      const id = ++numbers.lastClientId;
      const newReference = await freshReferences(db, workspaceId, at, 1);
      const added = { ...client, referenceId: newReference() };
      const row = { workspace_id: workspaceId, id, group_id: into.id, ...toColumns(added) };
      await db.insertInto('clients').values(row).execute();
      places.add(row);
      work.addEvent(id, 'added', { to: { request_status: client.requestStatus } });
      return { client: { ...added, groupName: into.name, groupToken: into.token }, added: true };
    },

    change: async (referenceId, decide) => {
      const row = await findByReference(db, workspaceId, referenceId);
      if (!row) return undefined;
      const before = toClient(row);
      const { after, groupId } = await changed(db, row, { ...before, ...decide(before) });
      const changes = difference(before, after);
      if (!changes) return { client: before, changed: false };

      const columns = { group_id: groupId, ...toColumns(after) };
      await db
        .updateTable('clients')
        .set(columns)
        .where('workspace_id', '=', workspaceId)
        .where('id', '=', row.id)
        .execute();
      places.replace(row, { ...row, ...columns });
      work.addEvent(row.id, 'changed', changes);
      return { client: after, changed: true };
    },

    erase: async (referenceId) => {
      const row = await findByReference(db, workspaceId, referenceId);
      if (!row) return false;
      await eraseRow(db, row, at);
      places.remove(row);
      work.addEvent(row.id, 'erased');
      return true;
    },
  };
}

/** The wanted state with its group resolved, once nothing stands against it. */
async function changed(
  db: Transaction<Tables>,
  row: ClientRow,
  wanted: Client,
): Promise<{ after: Client; groupId: number }> {
  const moves = fold(wanted.groupName) !== fold(row.group_name);
  const group = moves
    ? await findGroup(db, row.workspace_id, wanted.groupName)
    : { id: row.group_id, name: row.group_name, token: row.group_token };
  if (!group) throw new Failure('not_found', `No group is called ${wanted.groupName}; create it first.`);
  const other = await findByEmail(db, row.workspace_id, group.id, wanted.email);
  if (other && other.id !== row.id) {
    throw new Failure(
      'conflict',
      `The group ${group.name} has another client with that email (${other.reference_id}).`,
    );
  }
  return { after: { ...wanted, groupName: group.name, groupToken: group.token }, groupId: group.id };
}

/** The person goes, and with them what earlier events say about them. What is left: when, by whom, and the reference. */
async function eraseRow(db: Transaction<Tables>, row: ClientRow, at: number): Promise<void> {
  await db.deleteFrom('clients').where('workspace_id', '=', row.workspace_id).where('id', '=', row.id).execute();
  await db
    .updateTable('client_events')
    .set({ changed_from: null, changed_to: null })
    .where('workspace_id', '=', row.workspace_id)
    .where('client_id', '=', row.id)
    .execute();
  await db
    .insertInto('erased_clients')
    .values({
      workspace_id: row.workspace_id,
      reference_id: row.reference_id,
      client_id: row.id,
      erased_at: at,
    })
    .execute();
}

function findByReference(db: Reads, workspaceId: number, referenceId: string): Promise<ClientRow | undefined> {
  return selectClients(db)
    .where('clients.workspace_id', '=', workspaceId)
    .where('clients.reference_id', '=', referenceId)
    .executeTakeFirst();
}

function findByEmail(db: Reads, workspaceId: number, groupId: number, email: string): Promise<ClientRow | undefined> {
  return selectClients(db)
    .where('clients.workspace_id', '=', workspaceId)
    .where('clients.email_folded', '=', fold(email))
    .where('clients.group_id', '=', groupId)
    .executeTakeFirst();
}

function findErased(db: Reads, workspaceId: number, referenceId: string) {
  return db
    .selectFrom('erased_clients')
    .where('workspace_id', '=', workspaceId)
    .where('reference_id', '=', referenceId)
    .select('client_id')
    .executeTakeFirst();
}
