import type { Group } from '../../domain/clients/group.ts';
import { createGroup, type Groups, type ManageGroupsDeps, renameGroup } from '../../domain/clients/manage-groups.ts';
import { GroupForm, GroupList, GroupRecord } from '../contract/clients/groups.ts';
import { type ConsoleRoute, workspaceRoute } from '../define-route.ts';
import { timeText } from '../time.ts';

export const groupRoutes = (deps: { groups: Groups } & ManageGroupsDeps): ConsoleRoute[] => [
  workspaceRoute({
    methods: ['GET'],
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
    methods: ['POST'],
    path: '/console/:environment/groups',
    role: 'admin',
    body: GroupForm,
    data: GroupRecord,
    handle: async ({ actor, workspaceId, body }) =>
      toRecord(await createGroup(deps, { workspaceId, actor }, body.group_name)),
  }),

  workspaceRoute({
    methods: ['PATCH'],
    path: '/console/:environment/groups/:groupToken',
    role: 'admin',
    body: GroupForm,
    data: GroupRecord,
    handle: async ({ actor, workspaceId, body, parameter }) =>
      toRecord(await renameGroup(deps, { workspaceId, actor }, parameter('groupToken'), body.group_name)),
  }),
];

function toRecord(group: Group) {
  return { group_token: group.token, group_name: group.name, created_at: timeText(group.createdAt) };
}
