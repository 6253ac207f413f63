import type { Group } from '../../domain/clients/group.ts';
import {
  createGroup,
  deleteGroup,
  type Groups,
  type ManageGroupsDeps,
  renameGroup,
} from '../../domain/clients/manage-groups.ts';
import { mergePart } from '../../domain/clients/merge-groups.ts';
import { GroupForm, GroupList, GroupRecord, MergeAnswer, MergeForm } from '../contract/clients/groups.ts';
import { NoData } from '../contract/fields.ts';
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

  workspaceRoute({
    methods: ['POST'],
    path: '/console/:environment/groups/:groupToken/merge',
    role: 'admin',
    body: MergeForm,
    data: MergeAnswer,
    handle: async ({ actor, workspaceId, body, parameter }) => {
      const request = { from: parameter('groupToken'), into: body.into_token, continues: body.continues };
      const { moved, left } = await mergePart(deps, { workspaceId, actor }, request);
      return { moved, left };
    },
  }),

  workspaceRoute({
    methods: ['DELETE'],
    path: '/console/:environment/groups/:groupToken',
    role: 'admin',
    data: NoData,
    handle: async ({ actor, workspaceId, parameter }) => {
      await deleteGroup(deps, { workspaceId, actor }, parameter('groupToken'));
      return null;
    },
  }),
];

function toRecord(group: Group) {
  return { group_token: group.token, group_name: group.name, created_at: timeText(group.createdAt) };
}
