import { changeManyClients } from '../../domain/clients/change-many-clients.ts';
import { toEventRecord, toRecord } from '../../domain/clients/client-record.ts';
import {
  addClient,
  changeClientIfUnchanged,
  eraseClient,
  findClient,
  type ManageClientsDeps,
} from '../../domain/clients/manage-clients.ts';
import { TRANSITIONS } from '../../domain/clients/request-status.ts';
import { type SearchDeps, searchClients } from '../../domain/clients/search-clients.ts';
import { Failure } from '../../domain/failure.ts';
import {
  AddClientForm,
  BulkAnswer,
  BulkForm,
  ChangeClientForm,
  ClientDetail,
  ClientRecord,
  ClientsPage,
  ClientsQuery,
} from '../contract/clients/clients.ts';
import { Nothing } from '../contract/fields.ts';
import { type Route, workspaceRoute } from '../route.ts';
import { toPatch, toSeen } from './client-record.ts';
import { toSearch } from './client-search.ts';

const PAGE_LIMIT_DEFAULT = 25;

export const clientRoutes = (deps: ManageClientsDeps & SearchDeps): Route[] => [
  workspaceRoute({
    method: 'GET',
    path: '/console/:environment/clients',
    role: 'viewer',
    query: ClientsQuery,
    data: ClientsPage,
    handle: async ({ actor, workspaceId, query, left }) => {
      const { page = 1, page_limit: pageLimit = PAGE_LIMIT_DEFAULT } = query;
      const request = { ...toSearch(query), pageNumber: page, pageLimit };
      const found = await searchClients(deps, workspaceId, request, { memberId: actor.memberId, signal: left });
      return {
        page_number: found.pageNumber,
        page_limit: found.pageLimit,
        total_count: found.totalCount,
        total_pages: found.totalPages,
        results: found.clients.map(toRecord),
      };
    },
  }),

  workspaceRoute({
    method: 'GET',
    path: '/console/:environment/clients/:referenceId',
    role: 'viewer',
    data: ClientDetail,
    handle: async ({ workspaceId, param }) => {
      const client = await findClient(deps, workspaceId, param('referenceId'));
      const events = await deps.clients.history(workspaceId, client.referenceId);
      return {
        client: toRecord(client),
        next_statuses: [...TRANSITIONS[client.requestStatus]],
        history: events.reverse().map(toEventRecord),
      };
    },
  }),

  workspaceRoute({
    method: 'POST',
    path: '/console/:environment/clients',
    role: 'admin',
    body: AddClientForm,
    data: ClientRecord,
    handle: async ({ actor, workspaceId, body }) => {
      const request = { email: body.email, name: body.client_name, type: body.client_type, groupName: body.group_name };
      const { client, added } = await addClient(deps, { workspaceId, actor }, request);
      if (!added) {
        throw new Failure('conflict', `email belongs to a client of that group already (${client.referenceId}).`);
      }
      return toRecord(client);
    },
  }),

  workspaceRoute({
    method: 'PATCH',
    path: '/console/:environment/clients/:referenceId',
    role: 'admin',
    body: ChangeClientForm,
    data: ClientRecord,
    handle: async ({ actor, workspaceId, body, param }) => {
      const request = { seen: toSeen(body.seen), patch: toPatch(body.change) };
      return toRecord(await changeClientIfUnchanged(deps, { workspaceId, actor }, param('referenceId'), request));
    },
  }),

  workspaceRoute({
    method: 'DELETE',
    path: '/console/:environment/clients/:referenceId',
    role: 'admin',
    proof: true,
    data: Nothing,
    handle: async ({ actor, workspaceId, param }) => {
      await eraseClient(deps, { workspaceId, actor }, param('referenceId'));
      return null;
    },
  }),

  workspaceRoute({
    method: 'POST',
    path: '/console/:environment/clients/changes',
    role: 'admin',
    body: BulkForm,
    data: BulkAnswer,
    handle: async ({ actor, workspaceId, body }) => {
      const { changed, refused } = await changeManyClients(
        deps,
        { workspaceId, actor },
        { referenceIds: body.reference_ids, requestStatus: body.request_status, groupName: body.group_name },
      );
      return { changed, refused: refused.map((each) => ({ reference_id: each.referenceId, reason: each.reason })) };
    },
  }),
];
