import { type Selectable, sql } from 'kysely';
import type { Assignee, AssignmentChanges } from '../../domain/clients/assign-clients.ts';
import type { ReadOnlyDatabase } from '../engines/engine.ts';
import { keepMembers } from '../locks.ts';
import type { Tables } from '../tables.ts';
import type { VersionedEvent } from './client-events.ts';
import type { ClientUnitOfWork } from './client-unit-of-work.ts';

export function assignmentChangesIn(work: ClientUnitOfWork): AssignmentChanges {
  const { db, workspaceId, at, actor } = work;
  return {
    member: async (memberId) => {
      await keepMembers(work, [memberId]);
      return db
        .selectFrom('members')
        .where('account_id', '=', db.selectFrom('workspaces').where('id', '=', workspaceId).select('account_id'))
        .where('id', '=', memberId)
        .select(['id as memberId', 'email'])
        .executeTakeFirst();
    },

    assign: async (referenceId, decide) => {
      const client = await db
        .selectFrom('clients')
        .where('workspace_id', '=', workspaceId)
        .where('reference_id', '=', referenceId)
        .select('id')
        .executeTakeFirst();
      if (!client) return undefined;
      const from = await findAssignee(db, workspaceId, client.id);
      const to = decide(from);
      if (from?.memberId === to?.memberId) return { from, changed: false };
      const own = { workspace_id: workspaceId, client_id: client.id };
      await db
        .deleteFrom('client_assignments')
        .where('workspace_id', '=', workspaceId)
        .where('client_id', '=', client.id)
        .execute();
      if (to) {
        await db
          .insertInto('client_assignments')
          .values({ ...own, member_id: to.memberId, assigned_at: at })
          .execute();
      }
      await db
        .insertInto('assignment_events')
        .values({
          ...own,
          ...{ version: work.version, at, actor },
          ...{ assigned_from: from?.email ?? null, assigned_to: to?.email ?? null },
        })
        .execute();
      work.markChanged();
      return { from, changed: true };
    },

    unassignAll: async ({ memberId, email }) => {
      const lines = db
        .selectFrom('client_assignments')
        .where('workspace_id', '=', workspaceId)
        .where('member_id', '=', memberId)
        .select([
          'workspace_id',
          'client_id',
          sql<number>`cast(${work.version} as bigint)`.as('version'),
          sql<number>`cast(${at} as bigint)`.as('at'),
          sql<string>`cast(${actor} as text)`.as('actor'),
          sql<string>`cast(${email} as text)`.as('assigned_from'),
        ]);
      await db
        .insertInto('assignment_events')
        .columns(['workspace_id', 'client_id', 'version', 'at', 'actor', 'assigned_from'])
        .expression(lines)
        .execute();
      const { numDeletedRows } = await db
        .deleteFrom('client_assignments')
        .where('workspace_id', '=', workspaceId)
        .where('member_id', '=', memberId)
        .executeTakeFirstOrThrow();
      if (numDeletedRows > 0n) work.markChanged();
      return Number(numDeletedRows);
    },
  };
}

export async function findAssignee(
  db: ReadOnlyDatabase,
  workspaceId: number,
  clientId: number,
): Promise<Assignee | null> {
  const assignee = await db
    .selectFrom('client_assignments')
    .innerJoin('members', 'members.id', 'client_assignments.member_id')
    .where('client_assignments.workspace_id', '=', workspaceId)
    .where('client_assignments.client_id', '=', clientId)
    .select(['members.id as memberId', 'members.email'])
    .executeTakeFirst();
  return assignee ?? null;
}

export async function readAssignmentEvents(
  db: ReadOnlyDatabase,
  workspaceId: number,
  clientId: number,
): Promise<VersionedEvent[]> {
  const rows = await db
    .selectFrom('assignment_events')
    .where('workspace_id', '=', workspaceId)
    .where('client_id', '=', clientId)
    .selectAll()
    .orderBy('version')
    .execute();
  return rows.map(toAssignmentEvent);
}

export function toAssignmentEvent(row: Selectable<Tables['assignment_events']>): VersionedEvent {
  const { version, at, actor, assigned_from, assigned_to } = row;
  return {
    ...{ version, at, actor, kind: 'changed', reason: null },
    from: { assignee: assigned_from },
    to: { assignee: assigned_to },
  };
}
