import type { Static } from 'typebox';
import { toEventRecord, toPageRecord, toRecord } from '../../domain/clients/client-record.ts';
import { findNeighbours } from '../../domain/clients/find-neighbours.ts';
import {
  addClient,
  changeClientIfUnchanged,
  eraseClient,
  findClient,
  type ManageClientsDeps,
} from '../../domain/clients/manage-clients.ts';
import { TRANSITIONS } from '../../domain/clients/request-status.ts';
import type { ReviewQueue } from '../../domain/clients/review-queue.ts';
import { type SearchDeps, type SearchRequest, searchClients } from '../../domain/clients/search-clients.ts';
import { type ClientSummaries, summariseClients } from '../../domain/clients/summarise-clients.ts';
import { type KeyNames, namesOfActingKeys } from '../../domain/credentials/index.ts';
import { Failure } from '../../domain/failure.ts';
import type { ActivityLog, LineOrigin } from '../../domain/members/index.ts';
import {
  ChangeClientForm,
  ChangedClientRecord,
  ClientCountsQuery,
  ClientCountsRecord,
  ClientDetail,
  ClientForm,
  ClientRecord,
  ClientsPage,
  ClientsQuery,
  NeighboursRecord,
} from '../contract/clients/clients.ts';
import { NoData } from '../contract/fields.ts';
import { type ConsoleRoute, workspaceRoute } from '../define-route.ts';
import { toExpected, toPatch } from './client-record.ts';
import { toSearch } from './client-search.ts';
import { toAssignee } from './review.ts';

const PAGE_LIMIT_DEFAULT = 25;

type ClientRouteDeps = ManageClientsDeps &
  SearchDeps & {
    summaries: ClientSummaries;
    reviewQueue: ReviewQueue;
    activity: Pick<ActivityLog, 'originsOf'>;
    keys: KeyNames;
  };

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
      const searcher = { memberId: actor.memberId, signal };
      return toPageRecord(await searchClients(deps, workspaceId, toRequest(query), searcher));
    },
  }),

  workspaceRoute({
    methods: ['GET'],
    path: '/console/:environment/clients/:referenceId/neighbours',
    role: 'viewer',
    query: ClientsQuery,
    data: NeighboursRecord,
    handle: async ({ actor, workspaceId, query, parameter, signal }) => {
      const searcher = { memberId: actor.memberId, signal };
      const request = toRequest(query);
      const { previous, next } = await findNeighbours(deps, workspaceId, parameter('referenceId'), request, searcher);
      return { previous: previous?.referenceId ?? null, next: next?.referenceId ?? null };
    },
  }),

  workspaceRoute({
    methods: ['GET'],
    path: '/console/:environment/clients/:referenceId',
    role: 'viewer',
    data: ClientDetail,
    handle: async ({ actor, workspaceId, parameter }) => {
      const client = await findClient(deps, workspaceId, parameter('referenceId'));
      const { referenceId } = client;
      const events = (await deps.clients.history(workspaceId, referenceId)).reverse();
      const origins = await deps.activity.originsOf(actor.accountId, { workspaceId, referenceId }, events);
      const actors = events.map((event) => event.actor);
      const keyNames = await namesOfActingKeys(deps.keys, workspaceId, actors);
      return {
        client: toRecord(client),
        assignee: toAssignee(await deps.reviewQueue.assigneeOf(workspaceId, referenceId)),
        next_statuses: [...TRANSITIONS[client.requestStatus]],
        history: events.map((event, index) => ({
          ...toEventRecord(event),
          ...toOrigin(origins[index]),
          by_key: keyNames.get(event.actor) ?? null,
        })),
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
    data: ChangedClientRecord,
    handle: async ({ actor, workspaceId, body, parameter }) => {
      const request = { expected: toExpected(body.seen), patch: toPatch(body.change), reason: body.reason };
      const by = { workspaceId, actor };
      const { client, changed } = await changeClientIfUnchanged(deps, by, parameter('referenceId'), request);
      return { ...toRecord(client), version: changed ? client.version : null };
    },
  }),

  workspaceRoute({
    methods: ['DELETE'],
    path: '/console/:environment/clients/:referenceId',
    role: 'admin',
    proofTo: 'erase this client',
    data: NoData,
    handle: async ({ actor, workspaceId, parameter }) => {
      await eraseClient(deps, { workspaceId, actor }, parameter('referenceId'));
      return null;
    },
  }),
];

function toOrigin({ address, imported }: LineOrigin = { address: null, imported: null }) {
  return { address, imported: imported && { name: imported.name, import_id: imported.importId } };
}

function toRequest(query: Static<typeof ClientsQuery>): SearchRequest {
  const { page: pageNumber = 1, page_limit: pageLimit = PAGE_LIMIT_DEFAULT, order } = query;
  return { ...toSearch(query), pageNumber, pageLimit, order };
}
