import { type Static, Type } from 'typebox';
import { type CountedGroup, GROUP_NAME_MAX_LENGTH } from '../../domain/clients/group.ts';
import { createGroupIn, type Groups, listGroups, renameGroupByToken } from '../../domain/clients/manage-groups.ts';
import { type ApiRoute, defineApiRoute, NO_PARAMETERS } from '../define-route.ts';
import { answerWrite, successAnswerOf, WRITE_HEADERS, WRITING_FAILURES, type WriteDeps } from './answer-write.ts';
import { PAGE_PARAMETERS, toPageRequest } from './page-parameters.ts';
import { READING_FAILURES } from './reading-failures.ts';

const token = Type.String({
  format: 'uuid',
  description: 'Unique token of the group, which stays when it is renamed.',
  examples: ['0b8e6f0a-3c7d-4f0e-9a51-5f6d2f1c7e90'],
});

const GroupRecord = Type.Object(
  {
    group_name: Type.String({ description: 'The name of the group.', examples: ['Partners'] }),
    group_token: token,
    client_count: Type.Integer({ description: 'Exact number of its clients.', examples: [0] }),
  },
  { title: 'Group', description: 'A group of clients.', additionalProperties: false },
);

const GroupsPage = Type.Object(
  {
    page_number: Type.Integer({ description: 'The number of this page, as requested.', examples: [1] }),
    total_count: Type.Integer({ description: 'Exact number of groups.', examples: [1] }),
    page_limit: Type.Integer({ description: 'The maximum number of groups per page, as requested.', examples: [10] }),
    total_pages: Type.Integer({ description: 'Number of pages that contain groups.', examples: [1] }),
    results: Type.Array(GroupRecord, { description: 'The groups on this page, by name.' }),
  },
  { title: 'GroupsPage', description: 'One page of groups, with the totals.', additionalProperties: false },
);

const GivenGroup = Type.Object(
  {
    group_name: Type.String({
      minLength: 1,
      maxLength: GROUP_NAME_MAX_LENGTH,
      description: 'The name of the group. No other group may have it, in any letter case.',
      examples: ['Partners'],
    }),
  },
  { title: 'GivenGroup', additionalProperties: false },
);

export interface GroupsDeps extends WriteDeps {
  groups: Groups;
}

export const listGroupsRoute = ({ groups }: GroupsDeps): ApiRoute =>
  defineApiRoute({
    methods: ['GET'],
    path: '/api/v1/groups-list/',
    operationId: 'listGroups',
    summary: 'List groups',
    description:
      'The groups of the workspace, by name, with the number of their clients. A page beyond the last one is empty.',
    access: { scope: 'clients:read' },
    query: Type.Object(PAGE_PARAMETERS, { additionalProperties: false }),
    data: GroupsPage,
    others: READING_FAILURES,
    handle: async ({ workspaceId, query }, succeed) => {
      const page = await listGroups({ groups }, workspaceId, toPageRequest(query));
      return succeed({
        page_number: page.pageNumber,
        total_count: page.totalCount,
        page_limit: page.pageLimit,
        total_pages: page.totalPages,
        results: page.groups.map(toGroupRecord),
      });
    },
  });

export const createGroupRoute = (deps: GroupsDeps): ApiRoute =>
  defineApiRoute({
    methods: ['POST'],
    path: '/api/v1/groups/',
    operationId: 'createGroup',
    summary: 'Create group',
    description: 'Adds a group without clients.',
    access: { scope: 'clients:write' },
    query: NO_PARAMETERS,
    body: GivenGroup,
    data: GroupRecord,
    status: 201,
    requestHeaders: WRITE_HEADERS,
    others: WRITING_FAILURES,
    handle: (context) =>
      answerWrite(deps, context, async (change) => {
        const group = await createGroupIn(change, context.body.group_name);
        return { answer: successAnswerOf(toGroupRecord({ ...group, clients: 0 }), 201) };
      }),
  });

export const renameGroupRoute = (deps: GroupsDeps): ApiRoute =>
  defineApiRoute({
    methods: ['PATCH'],
    path: '/api/v1/groups/:group_token/',
    operationId: 'renameGroup',
    summary: 'Rename group',
    description: 'Gives the group another name. Its token and its clients stay.',
    access: { scope: 'clients:write' },
    query: NO_PARAMETERS,
    body: GivenGroup,
    data: GroupRecord,
    pathParameters: { group_token: token },
    requestHeaders: WRITE_HEADERS,
    others: { ...WRITING_FAILURES, 404: 'There is no such group.' },
    handle: (context) =>
      answerWrite(deps, context, async (change) => {
        const group = await renameGroupByToken(change, context.parameter('group_token'), context.body.group_name);
        return { answer: successAnswerOf(toGroupRecord(group)) };
      }),
  });

function toGroupRecord({
  name,
  token,
  clients,
}: Pick<CountedGroup, 'name' | 'token' | 'clients'>): Static<typeof GroupRecord> {
  return { group_name: name, group_token: token, client_count: clients };
}
