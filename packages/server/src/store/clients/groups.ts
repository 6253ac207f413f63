import { randomUUID } from 'node:crypto';
import type { Selectable } from 'kysely';
import type { Group } from '../../domain/clients/group.ts';
import type { GroupChanges, Groups } from '../../domain/clients/manage-groups.ts';
import { REQUEST_STATUSES, type RequestStatus } from '../../domain/clients/request-status.ts';
import { Failure } from '../../domain/failure.ts';
import { fold } from '../../domain/text.ts';
import type { Engine, ReadOnlyDatabase } from '../engines/engine.ts';
import type { Tables } from '../tables.ts';
import { ANY } from './client-index/combination.ts';
import { INDEX_LEVELS } from './client-index/levels.ts';
import type { ClientUnitOfWork } from './client-unit-of-work.ts';
import { REQUEST_STATUS } from './enum-codes.ts';
import { findSharedEmails, moveClients } from './merge-groups.ts';

export type GroupRow = Selectable<Tables['groups']>;

export function openGroups(engine: Engine): Groups {
  return {
    list: (workspaceId) =>
      engine.snapshot(async (db) => {
        const groups = await db
          .selectFrom('groups')
          .where('workspace_id', '=', workspaceId)
          .orderBy('name_folded')
          .selectAll()
          .execute();
        const counts = await countByGroup(db, workspaceId);
        return groups.map((row) => {
          const byStatus = counts.get(row.id) ?? NO_CLIENTS;
          return {
            ...toGroup(row),
            clients: REQUEST_STATUSES.reduce((sum, each) => sum + byStatus[each], 0),
            byStatus,
          };
        });
      }),

    sharedEmails: async (workspaceId, from, into, limit) => {
      const group = await findByTokenOrName(engine.reads, workspaceId, from);
      const other = await findByTokenOrName(engine.reads, workspaceId, into);
      return group && other ? findSharedEmails(engine, { workspaceId, from: group.id, into: other.id, limit }) : [];
    },
  };
}

type StatusCounts = Record<RequestStatus, number>;

const NO_CLIENTS = Object.fromEntries(REQUEST_STATUSES.map((status) => [status, 0])) as StatusCounts;

/** Reads the numbers from the counted index, in one pass over the sections of the groups. */
async function countByGroup(db: ReadOnlyDatabase, workspaceId: number): Promise<Map<number, StatusCounts>> {
  const rows = await db
    .selectFrom('client_runs')
    .where('workspace_id', '=', workspaceId)
    .where('level', '=', INDEX_LEVELS.sections.number)
    .where('group_id', '>', ANY)
    .where('request_status', '!=', ANY)
    .where('client_type', '=', ANY)
    .where('client_status', '=', ANY)
    .groupBy('group_id')
    .select('group_id')
    .select(({ fn }) =>
      REQUEST_STATUSES.map((status) =>
        fn.sum<number | null>('size').filterWhere('request_status', '=', REQUEST_STATUS.encode(status)).as(status),
      ),
    )
    .execute();
  return new Map(rows.map(({ group_id: id, ...counts }) => [id, numbersOf(counts)]));
}

function numbersOf(counts: Record<RequestStatus, number | null>): StatusCounts {
  const numbers = { ...NO_CLIENTS };
  for (const status of REQUEST_STATUSES) numbers[status] = Number(counts[status] ?? 0);
  return numbers;
}

export function groupChangesIn(work: ClientUnitOfWork): GroupChanges {
  const { db, workspaceId, at, lastIds } = work;
  return {
    create: async (name) => {
      await requireFreeName(db, workspaceId, name);
      const row = newGroup({ workspaceId, id: ++lastIds.lastGroupId, name, createdAt: at });
      await db.insertInto('groups').values(row).execute();
      work.markChanged();
      return toGroup(row);
    },

    byToken: async (token) => {
      const row = await byToken(db, workspaceId, token).executeTakeFirst();
      return row && toGroup(row);
    },

    find: async (tokenOrName) => {
      const row = await findByTokenOrName(db, workspaceId, tokenOrName);
      return row && toGroup(row);
    },

    ensure: async (name) => {
      const found = await findGroup(db, workspaceId, name);
      if (found) return toGroup(found);
      const row = newGroup({ workspaceId, id: ++lastIds.lastGroupId, name, createdAt: at });
      await db.insertInto('groups').values(row).execute();
      work.markChanged();
      return toGroup(row);
    },

    sizeOf: async (token) => {
      const { size } = await db
        .selectFrom('client_runs')
        .innerJoin('groups', (join) =>
          join
            .onRef('groups.workspace_id', '=', 'client_runs.workspace_id')
            .onRef('groups.id', '=', 'client_runs.group_id'),
        )
        .where('client_runs.workspace_id', '=', workspaceId)
        .where('groups.token', '=', token)
        .where('level', '=', INDEX_LEVELS.sections.number)
        .where('request_status', '=', ANY)
        .where('client_type', '=', ANY)
        .where('client_status', '=', ANY)
        .select(({ fn }) => fn.sum<number | null>('size').as('size'))
        .executeTakeFirstOrThrow();
      return Number(size ?? 0);
    },

    rename: async (tokenOrName, name) => {
      const row = await findByTokenOrName(db, workspaceId, tokenOrName);
      if (!row) return undefined;
      const renamed = { group: toGroup({ ...row, name }), formerName: row.name };
      if (row.name === name) return renamed;
      await requireFreeName(db, workspaceId, name, row.id);
      await db
        .updateTable('groups')
        .set({ name, name_folded: fold(name) })
        .where('workspace_id', '=', workspaceId)
        .where('id', '=', row.id)
        .execute();
      work.markChanged();
      return renamed;
    },

    moveClients: async (from, into, limit) =>
      moveClients(
        work,
        await requireByToken(db, workspaceId, from),
        await requireByToken(db, workspaceId, into),
        limit,
      ),

    remove: async (token) => {
      const { id } = await requireByToken(db, workspaceId, token);
      await db.deleteFrom('groups').where('workspace_id', '=', workspaceId).where('id', '=', id).execute();
      work.noteGroupRemoved(id);
    },
  };
}

export function newGroup(group: {
  workspaceId: number;
  id: number;
  name: string;
  createdAt: number;
  token?: string | undefined;
}): GroupRow {
  return {
    workspace_id: group.workspaceId,
    id: group.id,
    token: group.token ?? randomUUID(),
    name: group.name,
    name_folded: fold(group.name),
    created_at: group.createdAt,
  };
}

async function requireFreeName(db: ReadOnlyDatabase, workspaceId: number, name: string, ownId = 0): Promise<void> {
  const taken = await findGroup(db, workspaceId, name);
  if (taken && taken.id !== ownId) throw new Failure('conflict', `There is already a group named ${taken.name}.`);
}

export function findGroup(db: ReadOnlyDatabase, workspaceId: number, name: string): Promise<GroupRow | undefined> {
  return db
    .selectFrom('groups')
    .where('workspace_id', '=', workspaceId)
    .where('name_folded', '=', fold(name))
    .selectAll()
    .executeTakeFirst();
}

function byToken(db: ReadOnlyDatabase, workspaceId: number, token: string) {
  return db.selectFrom('groups').where('workspace_id', '=', workspaceId).where('token', '=', token).selectAll();
}

/** The group was found before, under the same lock. */
function requireByToken(db: ReadOnlyDatabase, workspaceId: number, token: string): Promise<GroupRow> {
  return byToken(db, workspaceId, token).executeTakeFirstOrThrow();
}

/** A group may have the token of another one as its name. */
async function findByTokenOrName(
  db: ReadOnlyDatabase,
  workspaceId: number,
  tokenOrName: string,
): Promise<GroupRow | undefined> {
  return (await byToken(db, workspaceId, tokenOrName).executeTakeFirst()) ?? findGroup(db, workspaceId, tokenOrName);
}

export function toGroup(row: Pick<GroupRow, 'token' | 'name' | 'created_at'>): Group {
  return { token: row.token, name: row.name, createdAt: row.created_at };
}
