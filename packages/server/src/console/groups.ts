import { type RecordDeps, record } from '../domain/activity.ts';
import type { ClientCounts } from '../domain/client-counts.ts';
import type { Group } from '../domain/group.ts';
import { createGroup, type Groups, renameGroup } from '../domain/manage-groups.ts';
import { GroupForm, GroupList, GroupRecord } from './contract/groups.ts';
import { type Route, workspaceRoute } from './route.ts';
import { countByStatus, sumOf } from './sums.ts';
import { timeText } from './time.ts';

export const groupRoutes = (deps: { groups: Groups; counts: ClientCounts } & RecordDeps): Route[] => [
  workspaceRoute({
    method: 'GET',
    path: '/console/:environment/groups',
    role: 'viewer',
    data: GroupList,
    handle: async ({ workspaceId }) => {
      const [groups, cells] = await Promise.all([deps.groups.list(workspaceId), deps.counts.cells(workspaceId)]);
      return {
        groups: groups.map((group) => {
          const own = cells.filter(({ groupToken }) => groupToken === group.token);
          return { ...toRecord(group), clients: sumOf(own), by_status: countByStatus(own) };
        }),
      };
    },
  }),

  workspaceRoute({
    method: 'POST',
    path: '/console/:environment/groups',
    role: 'admin',
    body: GroupForm,
    data: GroupRecord,
    handle: async ({ actor, workspaceId, environment, body }) => {
      const group = await createGroup(deps, workspaceId, body.group_name);
      await record(deps, actor, 'group.created', group.name, environment);
      return toRecord(group);
    },
  }),

  workspaceRoute({
    method: 'PATCH',
    path: '/console/:environment/groups/:groupToken',
    role: 'admin',
    body: GroupForm,
    data: GroupRecord,
    handle: async ({ actor, workspaceId, environment, body, param }) => {
      const group = await renameGroup(deps, workspaceId, param('groupToken'), body.group_name);
      await record(deps, actor, 'group.renamed', group.name, environment);
      return toRecord(group);
    },
  }),
];

function toRecord(group: Group) {
  return { group_token: group.token, group_name: group.name, created_at: timeText(group.createdAt) };
}
