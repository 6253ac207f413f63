import { randomUUID } from 'node:crypto';
import type { Selectable } from 'kysely';
import { Failure } from '../domain/failure.ts';
import type { Group } from '../domain/group.ts';
import type { GroupChanges, Groups } from '../domain/manage-groups.ts';
import { fold } from '../domain/text.ts';
import { ANY } from './client-index/combination.ts';
import { LEVELS } from './client-index/levels.ts';
import type { Engine, Reads } from './engines/engine.ts';
import type { Tables } from './tables.ts';
import type { WorkspaceWork } from './work.ts';

export type GroupRow = Selectable<Tables['groups']>;

export function openGroups(engine: Engine): Groups {
  return {
    list: async (workspaceId) => {
      const rows = await engine.reads
        .selectFrom('groups')
        .where('groups.workspace_id', '=', workspaceId)
        .selectAll('groups')
        .select((group) =>
          group
            .selectFrom('client_runs')
            .where('client_runs.workspace_id', '=', workspaceId)
            .where('client_runs.level', '=', LEVELS.sections.number)
            .whereRef('client_runs.group_id', '=', 'groups.id')
            .where('client_runs.request_status', '=', ANY)
            .where('client_runs.client_type', '=', ANY)
            .select((count) => count.fn.sum<number | null>('client_runs.size').as('clients'))
            .as('clients'),
        )
        .orderBy('groups.name_folded')
        .execute();
      return rows.map((row) => ({ ...toGroup(row), clients: Number(row.clients ?? 0) }));
    },
  };
}

export function groupChangesIn(work: WorkspaceWork): GroupChanges {
  const { db, workspaceId, at, numbers } = work;
  return {
    create: async (name) => {
      await requireFreeName(db, workspaceId, name);
      const row = newGroup({ workspaceId, id: ++numbers.lastGroupId, name, createdAt: at });
      await db.insertInto('groups').values(row).execute();
      work.touch();
      return toGroup(row);
    },

    rename: async (tokenOrName, name) => {
      const row = await db
        .selectFrom('groups')
        .where('workspace_id', '=', workspaceId)
        .where((or) => or.or([or('token', '=', tokenOrName), or('name_folded', '=', tokenOrName)]))
        .selectAll()
        .executeTakeFirst();
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
      work.touch();
      return renamed;
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

async function requireFreeName(db: Reads, workspaceId: number, name: string, ownId = 0): Promise<void> {
  const taken = await findGroup(db, workspaceId, name);
  if (taken && taken.id !== ownId) throw new Failure('conflict', `A group called ${taken.name} exists already.`);
}

export function findGroup(db: Reads, workspaceId: number, name: string): Promise<GroupRow | undefined> {
  return db
    .selectFrom('groups')
    .where('workspace_id', '=', workspaceId)
    .where('name_folded', '=', fold(name))
    .selectAll()
    .executeTakeFirst();
}

function toGroup(row: Pick<GroupRow, 'token' | 'name' | 'created_at'>): Group {
  return { token: row.token, name: row.name, createdAt: row.created_at };
}
