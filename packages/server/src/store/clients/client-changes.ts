import type { Transaction } from 'kysely';
import type { Client, VersionedClient } from '../../domain/clients/client.ts';
import { type ClientEvent, difference } from '../../domain/clients/client-event.ts';
import type { KnownPerson } from '../../domain/clients/known-person.ts';
import type { ClientChanges, ClientLookup } from '../../domain/clients/manage-clients.ts';
import { Failure } from '../../domain/failure.ts';
import { fold } from '../../domain/text.ts';
import type { Engine, ReadOnlyDatabase } from '../engines/engine.ts';
import { eraseDetails } from '../members/index.ts';
import type { Tables } from '../tables.ts';
import { readAssignmentEvents } from './assignments.ts';
import { externalIdTaken, openBatch } from './client-batch.ts';
import { readEvents } from './client-events.ts';
import { type ClientRow, selectClients, toClient, toColumns } from './client-rows.ts';
import type { ClientUnitOfWork } from './client-unit-of-work.ts';
import { findGroup } from './groups.ts';
import { readHistories } from './histories.ts';
import { eraseRejects } from './import-rejects.ts';
import { eraseAnswers } from './kept-answers.ts';
import { eraseViews } from './saved-views.ts';
import { addStatusChanges } from './status-changes.ts';
import { writeBatch } from './write-batch.ts';

export function openClientLookup(engine: Engine): ClientLookup {
  return {
    find: async (workspaceId, referenceId) => {
      const row = await findByReference(engine.reads, workspaceId, referenceId);
      return row && toVersioned(engine.reads, row);
    },

    history: (workspaceId, referenceId) =>
      engine.snapshot(async (db) => {
        const clientId =
          (await findByReference(db, workspaceId, referenceId))?.id ??
          (await findErased(db, workspaceId, referenceId))?.client_id;
        return clientId === undefined ? [] : readHistory(db, workspaceId, clientId);
      }),

    histories: (workspaceId, referenceIds, times) => readHistories(engine, workspaceId, referenceIds, times),
  };
}

/** The lines about the client itself and about its assignees, in the order of the changes. */
async function readHistory(db: ReadOnlyDatabase, workspaceId: number, clientId: number): Promise<ClientEvent[]> {
  const lines = [
    ...(await readEvents(db, workspaceId, clientId)),
    ...(await readAssignmentEvents(db, workspaceId, clientId)),
  ];
  return lines.sort((a, b) => a.version - b.version).map(({ version, ...event }) => event);
}

/** Changes to single clients, each with a line in the history of the client. */
export function clientChangesIn(work: ClientUnitOfWork): ClientChanges {
  const { engine, db, workspaceId, at, lastIds } = work;
  return {
    add: async (client) => {
      const batch = await openBatch([{ db, engine }], workspaceId, [client], { ...lastIds, at });
      const { row, group, added } = batch.add(client, at);
      const shown = { ...row, group_name: group.name, group_token: group.token };
      if (!added) return { client: await toVersioned(db, shown), id: row.id, added };
      await writeBatch(work, batch);
      return { client: { ...toClient(shown), version: work.version, updatedAt: at }, id: row.id, added };
    },

    change: async (referenceId, decide, reason) => {
      const row = await findByReference(db, workspaceId, referenceId);
      if (!row) return undefined;
      const before = await toVersioned(db, row);
      const { after, groupId } = await resolveChange(db, row, { ...before, ...decide(before) });
      const changes = difference(before, after);
      if (!changes) return { client: before, id: row.id, changed: false };

      const columns = { group_id: groupId, ...toColumns(after) };
      await addStatusChanges(work, [{ row, toStatus: columns.request_status }]);
      await db
        .updateTable('clients')
        .set(columns)
        .where('workspace_id', '=', workspaceId)
        .where('id', '=', row.id)
        .execute();
      work.noteChanged(row, { ...row, ...columns });
      work.addEvent(row.id, 'changed', { ...changes, reason });
      return { client: { ...after, version: work.version, updatedAt: at }, id: row.id, changed: true };
    },

    erase: async (referenceId, check) => {
      const row = await findByReference(db, workspaceId, referenceId);
      if (!row) return undefined;
      check?.(await toVersioned(db, row));
      const person = await knownAbout(db, row);
      await eraseRow(db, row, person, at);
      const removedViews = await eraseViews(work, person);
      work.noteRemoved(row);
      await eraseDetails(work, `workspace:${workspaceId}`, referenceId);
      work.addEvent(row.id, 'erased');
      return { removedViews };
    },

    requiresDeclineReason: async () => {
      const account = await db
        .selectFrom('workspaces')
        .innerJoin('accounts', 'accounts.id', 'workspaces.account_id')
        .where('workspaces.id', '=', workspaceId)
        .select('accounts.requires_decline_reason')
        .executeTakeFirstOrThrow();
      return account.requires_decline_reason === 1;
    },

    referenceOf: async (externalId) => (await findByExternalId(db, workspaceId, externalId))?.reference_id,
  };
}

/** Finds the group of the new state and checks that its email is free in that group. */
async function resolveChange(
  db: Transaction<Tables>,
  row: ClientRow,
  wanted: Client,
): Promise<{ after: Client; groupId: number }> {
  const moves = fold(wanted.groupName) !== fold(row.group_name);
  const group = moves
    ? await findGroup(db, row.workspace_id, wanted.groupName)
    : { id: row.group_id, name: row.group_name, token: row.group_token };
  if (!group) throw new Failure('not_found', `There is no group named ${wanted.groupName}. Create it first.`);
  const other = await findByEmail(db, row.workspace_id, group.id, wanted.email);
  if (other && other.id !== row.id) {
    throw new Failure('conflict', `Another client of the group ${group.name} has this email (${other.reference_id}).`);
  }
  if (wanted.externalId !== row.external_id) await requireFreeExternalId(db, row.workspace_id, wanted.externalId);
  return { after: { ...wanted, groupName: group.name, groupToken: group.token }, groupId: group.id };
}

async function requireFreeExternalId(
  db: Transaction<Tables>,
  workspaceId: number,
  externalId: string | null,
): Promise<void> {
  const owner = externalId !== null && (await findByExternalId(db, workspaceId, externalId));
  if (owner) throw externalIdTaken(owner.reference_id);
}

/** What it is and was, according to its history. */
async function knownAbout(db: Transaction<Tables>, row: ClientRow): Promise<KnownPerson> {
  const events = await readEvents(db, row.workspace_id, row.id);
  const values = (now: string | null, field: 'email' | 'client_name' | 'external_id') => {
    const known = [now, ...events.flatMap(({ from, to }) => [from?.[field], to?.[field]])];
    return [...new Set(known.filter((value) => value !== null && value !== undefined))];
  };
  return {
    referenceId: row.reference_id,
    emails: values(row.email, 'email'),
    names: values(row.name, 'client_name'),
    externalIds: values(row.external_id, 'external_id'),
  };
}

/** Deletes the client, with its assignments, and the personal data in its history. The reference, and who changed it when, are kept. */
async function eraseRow(db: Transaction<Tables>, row: ClientRow, person: KnownPerson, at: number): Promise<void> {
  await db.deleteFrom('clients').where('workspace_id', '=', row.workspace_id).where('id', '=', row.id).execute();
  await db
    .updateTable('client_events')
    .set({ changed_from: null, changed_to: null, reason: null })
    .where('workspace_id', '=', row.workspace_id)
    .where('client_id', '=', row.id)
    .execute();
  await eraseAnswers(db, row.workspace_id, row.id);
  await eraseRejects(db, row.workspace_id, person);
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

function findByReference(
  db: ReadOnlyDatabase,
  workspaceId: number,
  referenceId: string,
): Promise<ClientRow | undefined> {
  return selectClients(db)
    .where('clients.workspace_id', '=', workspaceId)
    .where('clients.reference_id', '=', referenceId)
    .executeTakeFirst();
}

function findByExternalId(db: ReadOnlyDatabase, workspaceId: number, externalId: string) {
  return db
    .selectFrom('clients')
    .where('workspace_id', '=', workspaceId)
    .where('external_id', '=', externalId)
    .select('reference_id')
    .executeTakeFirst();
}

/** A client from before there was a history has no version. */
export async function toVersioned(db: ReadOnlyDatabase, row: ClientRow): Promise<VersionedClient> {
  const last = await db
    .selectFrom('client_events')
    .where('workspace_id', '=', row.workspace_id)
    .where('client_id', '=', row.id)
    .orderBy('version', 'desc')
    .select(['version', 'at'])
    .limit(1)
    .executeTakeFirst();
  return { ...toClient(row), version: last?.version ?? 0, updatedAt: last?.at ?? row.created_at };
}

function findByEmail(
  db: ReadOnlyDatabase,
  workspaceId: number,
  groupId: number,
  email: string,
): Promise<ClientRow | undefined> {
  return selectClients(db)
    .where('clients.workspace_id', '=', workspaceId)
    .where('clients.email_folded', '=', fold(email))
    .where('clients.group_id', '=', groupId)
    .executeTakeFirst();
}

function findErased(db: ReadOnlyDatabase, workspaceId: number, referenceId: string) {
  return db
    .selectFrom('erased_clients')
    .where('workspace_id', '=', workspaceId)
    .where('reference_id', '=', referenceId)
    .select('client_id')
    .executeTakeFirst();
}
