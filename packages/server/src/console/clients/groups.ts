import type { Group } from '../../domain/clients/group.ts';
import { createGroup, type Groups, type ManageGroupsDeps, renameGroup } from '../../domain/clients/manage-groups.ts';
import { GroupForm, GroupList, GroupRecord } from '../contract/clients/groups.ts';
import { type Route, workspaceRoute } from '../route.ts';
import { timeText } from '../time.ts';

export const groupRoutes = (deps: { groups: Groups } & ManageGroupsDeps): Route[] => [
  workspaceRoute({
    method: 'GET',
    path: '/console/:environment/groups',
    role: 'viewer',
    data: GroupList,
    handle: async ({ workspaceId }) => {
      const groups = await deps.groups.list(workspaceId);
      return {
        groups: groups.map((group) => ({ ...toRecord(group), clients: group.clients, by_status: group.byStatus })),
      };
    },
  }),

  workspaceRoute({
    method: 'POST',
    path: '/console/:environment/groups',
    role: 'admin',
    body: GroupForm,
    data: GroupRecord,
    handle: async ({ actor, workspaceId, body }) =>
      toRecord(await createGroup(deps, { workspaceId, actor }, body.group_name)),
  }),

  workspaceRoute({
    method: 'PATCH',
    path: '/console/:environment/groups/:groupToken',
    role: 'admin',
    body: GroupForm,
    data: GroupRecord,
    handle: async ({ actor, workspaceId, body, param }) =>
      toRecord(await renameGroup(deps, { workspaceId, actor }, param('groupToken'), body.group_name)),
  }),
];

function toRecord(group: Group) {
  return { group_token: group.token, group_name: group.name, created_at: timeText(group.createdAt) };
}
