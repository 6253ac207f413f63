import { changeManyClients } from '../../domain/clients/change-many-clients.ts';
import { toEventRecord, toPageRecord, toRecord } from '../../domain/clients/client-record.ts';
import {
  addClient,
  changeClientIfUnchanged,
  eraseClient,
  findClient,
  type ManageClientsDeps,
} from '../../domain/clients/manage-clients.ts';
import { TRANSITIONS } from '../../domain/clients/request-status.ts';
import type { ReviewQueue } from '../../domain/clients/review-queue.ts';
import { type SearchDeps, searchClients } from '../../domain/clients/search-clients.ts';
import { type ClientSummaries, summariseClients } from '../../domain/clients/summarise-clients.ts';
import { Failure } from '../../domain/failure.ts';
import {
  BulkAnswer,
  BulkForm,
  ChangeClientForm,
  ClientCountsQuery,
  ClientCountsRecord,
  ClientDetail,
  ClientForm,
  ClientRecord,
  ClientsPage,
  ClientsQuery,
} from '../contract/clients/clients.ts';
import { NoData } from '../contract/fields.ts';
import { type ConsoleRoute, workspaceRoute } from '../define-route.ts';
import { toExpected, toPatch } from './client-record.ts';
import { toSearch } from './client-search.ts';
import { toAssignee } from './review.ts';

const PAGE_LIMIT_DEFAULT = 25;

type ClientRouteDeps = ManageClientsDeps & SearchDeps & { summaries: ClientSummaries; reviewQueue: ReviewQueue };

export const clientRoutes = (deps: ClientRouteDeps): ConsoleRoute[] => [
  workspaceRoute({
    methods: ['GET'],
    path: '/console/:environment/client-counts',
    role: 'viewer',
    query: ClientCountsQuery,
    data: ClientCountsRecord,
    handle: async ({ workspaceId, query, signal }) => {
      const summary = await summariseClients(deps, workspaceId, toSearch(query), { groupsMax: 0, signal });
      return { total_count: summary.totalCount, by_status: summary.byRequestStatus };
    },
  }),

  workspaceRoute({
    methods: ['GET'],
    path: '/console/:environment/clients',
    role: 'viewer',
    query: ClientsQuery,
    data: ClientsPage,
    handle: async ({ actor, workspaceId, query, signal }) => {
      const { page = 1, page_limit: pageLimit = PAGE_LIMIT_DEFAULT } = query;
      const request = { ...toSearch(query), pageNumber: page, pageLimit, order: query.order };
      return toPageRecord(await searchClients(deps, workspaceId, request, { memberId: actor.memberId, signal }));
    },
  }),

  workspaceRoute({
    methods: ['GET'],
    path: '/console/:environment/clients/:referenceId',
    role: 'viewer',
    data: ClientDetail,
    handle: async ({ workspaceId, parameter }) => {
      const client = await findClient(deps, workspaceId, parameter('referenceId'));
      const events = await deps.clients.history(workspaceId, client.referenceId);
      return {
        client: toRecord(client),
        assignee: toAssignee(await deps.reviewQueue.assigneeOf(workspaceId, client.referenceId)),
        next_statuses: [...TRANSITIONS[client.requestStatus]],
        history: events.reverse().map(toEventRecord),
      };
    },
  }),

  workspaceRoute({
    methods: ['POST'],
    path: '/console/:environment/clients',
    role: 'admin',
    body: ClientForm,
    data: ClientRecord,
    handle: async ({ actor, workspaceId, body }) => {
      const request = {
        email: body.email,
        name: body.client_name,
        type: body.client_type,
        groupName: body.group_name,
        externalId: body.external_id,
      };
      const { client, added } = await addClient(deps, { workspaceId, actor }, request);
      if (!added) {
        throw new Failure('conflict', `email belongs to a client of that group already (${client.referenceId}).`);
      }
      return toRecord(client);
    },
  }),

  workspaceRoute({
    methods: ['PATCH'],
    path: '/console/:environment/clients/:referenceId',
    role: 'admin',
    body: ChangeClientForm,
    data: ClientRecord,
    handle: async ({ actor, workspaceId, body, parameter }) => {
      const request = { expected: toExpected(body.seen), patch: toPatch(body.change), reason: body.reason };
      return toRecord(await changeClientIfUnchanged(deps, { workspaceId, actor }, parameter('referenceId'), request));
    },
  }),

  workspaceRoute({
    methods: ['DELETE'],
    path: '/console/:environment/clients/:referenceId',
    role: 'admin',
    recentProof: true,
    data: NoData,
    handle: async ({ actor, workspaceId, parameter }) => {
      await eraseClient(deps, { workspaceId, actor }, parameter('referenceId'));
      return null;
    },
  }),

  workspaceRoute({
    methods: ['POST'],
    path: '/console/:environment/clients/changes',
    role: 'admin',
    body: BulkForm,
    data: BulkAnswer,
    handle: async ({ actor, workspaceId, body }) => {
      const { changed, refused } = await changeManyClients(
        deps,
        { workspaceId, actor },
        {
          referenceIds: body.reference_ids,
          requestStatus: body.request_status,
          groupName: body.group_name,
          reason: body.reason,
        },
      );
      return { changed, refused: refused.map((each) => ({ reference_id: each.referenceId, reason: each.reason })) };
    },
  }),
];
