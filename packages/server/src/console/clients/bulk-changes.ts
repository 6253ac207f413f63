import type { BulkChange, ListedBulkChange } from '../../domain/clients/bulk-change.ts';
import {
  type BulkResult,
  type ChangeManyDeps,
  changeManyClients,
  undoManyClients,
} from '../../domain/clients/change-many-clients.ts';
import type { ClientPages } from '../../domain/clients/list-clients.ts';
import {
  cancelBulkChange,
  findBulkChange,
  type ManageBulkChangesDeps,
  startBulkChange,
  undoBulkChange,
} from '../../domain/clients/manage-bulk-changes.ts';
import type { ManyPatch } from '../../domain/clients/many-clients.ts';
import { countSelected, type SelectDeps, type Selection } from '../../domain/clients/select-clients.ts';
import { Failure } from '../../domain/failure.ts';
import { inBackground } from '../../domain/members/index.ts';
import { parseQuery, refuseEmpty } from '../../http/query.ts';
import {
  BulkAnswer,
  BulkChangeDetail,
  BulkChangeRecord,
  BulkForm,
  type BulkPatch,
  LatestBulkChanges,
  SelectionCounts,
  SelectionCountsForm,
  type SelectionForm,
  StartBulkChangeForm,
  UndoForm,
} from '../contract/clients/bulk-changes.ts';
import { FiltersQuery } from '../contract/clients/clients.ts';
import { type ConsoleRoute, workspaceRoute } from '../define-route.ts';
import { timeText } from '../time.ts';
import { toSearch } from './client-search.ts';

const PATH = '/console/:environment/bulk-changes';
const ENDED_SHOWN = 5;

type BulkChangeDeps = ChangeManyDeps &
  ManageBulkChangesDeps &
  SelectDeps & {
    /** Called when a bulk change was stored. */
    onBulkChangeStored(): void;
  };

/** Changes of a few clients, which are made at once. */
export const changeManyRoutes = (deps: ChangeManyDeps): ConsoleRoute[] => [
  workspaceRoute({
    methods: ['POST'],
    path: '/console/:environment/clients/changes',
    role: 'admin',
    body: BulkForm,
    data: BulkAnswer,
    handle: async ({ actor, workspaceId, body }) => {
      const request = { referenceIds: body.reference_ids, ...toManyPatch(body), reason: body.reason };
      return toAnswer(await changeManyClients(deps, { workspaceId, actor }, request));
    },
  }),

  workspaceRoute({
    methods: ['POST'],
    path: '/console/:environment/clients/changes/undo',
    role: 'admin',
    body: UndoForm,
    data: BulkAnswer,
    handle: async ({ actor, workspaceId, body: { reference_ids: referenceIds, version } }) =>
      toAnswer(await undoManyClients(deps, { workspaceId, actor }, { referenceIds, version })),
  }),
];

/** Changes of many clients, which the service makes in the background, also when the member has left. */
export const bulkChangeRoutes = (deps: BulkChangeDeps): ConsoleRoute[] => [
  workspaceRoute({
    methods: ['POST'],
    path: '/console/:environment/selection-counts',
    role: 'admin',
    body: SelectionCountsForm,
    data: SelectionCounts,
    handle: async ({ actor, workspaceId, body, signal }) => {
      const searcher = { memberId: actor.memberId, signal };
      const counts = await countSelected(deps, workspaceId, toSelection(body), searcher, body.group_name);
      return {
        total_count: counts.total,
        by_status: counts.byRequestStatus,
        by_client_status: counts.byClientStatus,
        in_group: counts.inGroup ?? null,
      };
    },
  }),

  workspaceRoute({
    methods: ['GET'],
    path: PATH,
    role: 'viewer',
    data: LatestBulkChanges,
    handle: async ({ workspaceId }) => ({
      results: (await deps.bulkChanges.latest(workspaceId, ENDED_SHOWN)).map(toRecord),
    }),
  }),

  workspaceRoute({
    methods: ['POST'],
    path: PATH,
    role: 'admin',
    body: StartBulkChangeForm,
    data: BulkChangeRecord,
    handle: async ({ actor, workspaceId, body, signal }) => {
      const patch = oneOf(toManyPatch(body));
      const runAs = inBackground(actor, 'admin');
      const request = { selection: toSelection(body), patch, reason: body.reason, runAs };
      const searcher = { memberId: actor.memberId, signal };
      const change = await startBulkChange(deps, { workspaceId, actor }, request, searcher);
      deps.onBulkChangeStored();
      return toRecord(change);
    },
  }),

  workspaceRoute({
    methods: ['GET'],
    path: `${PATH}/:changeId`,
    role: 'viewer',
    data: BulkChangeDetail,
    handle: async ({ workspaceId, parameter }) => {
      const change = await findBulkChange(deps, workspaceId, parameter('changeId'));
      const nameOf = await namesOf(deps.clients, change);
      const refusals = change.refusals.map(({ reason, count, referenceIds }) => ({
        reason,
        count,
        clients: referenceIds.map((id) => ({ reference_id: id, client_name: nameOf.get(id) ?? id })),
      }));
      return { change: toRecord(change), refusals };
    },
  }),

  workspaceRoute({
    methods: ['DELETE'],
    path: `${PATH}/:changeId`,
    role: 'admin',
    data: BulkChangeRecord,
    handle: async ({ actor, workspaceId, parameter }) =>
      toRecord(await cancelBulkChange(deps, { workspaceId, actor }, parameter('changeId'))),
  }),

  workspaceRoute({
    methods: ['POST'],
    path: `${PATH}/:changeId/undo`,
    role: 'admin',
    data: BulkChangeRecord,
    handle: async ({ actor, workspaceId, parameter }) => {
      const by = { workspaceId, actor };
      const change = await undoBulkChange(deps, by, parameter('changeId'), inBackground(actor, 'admin'));
      deps.onBulkChangeStored();
      return toRecord(change);
    },
  }),
];

function toSelection({ reference_ids: referenceIds, filters }: SelectionForm): Selection {
  if ((referenceIds === undefined) === (filters === undefined)) {
    throw new Failure('bad_parameter', 'Either reference_ids or filters must be given, and not both.');
  }
  if (referenceIds) return { referenceIds: [...new Set(referenceIds)] };
  refuseEmpty(filters ?? '', Object.keys(FiltersQuery.properties));
  return { search: toSearch(parseQuery(FiltersQuery, filters ?? '')) };
}

function toManyPatch({ request_status, group_name, client_status }: BulkPatch): ManyPatch {
  return {
    ...(request_status !== undefined && { requestStatus: request_status }),
    ...(group_name !== undefined && { groupName: group_name }),
    ...(client_status !== undefined && { status: client_status }),
  };
}

/** With two changes at once, it would be hard to say which of them was refused. */
function oneOf(patch: ManyPatch): ManyPatch {
  if (Object.keys(patch).length === 1) return patch;
  throw new Failure('bad_parameter', 'One of request_status, group_name and client_status must be given.');
}

function toAnswer({ changed, unchanged, refused, undoable }: BulkResult): BulkAnswer {
  const { referenceIds, version } = undoable;
  return {
    changed,
    unchanged,
    refused: refused.map((each) => ({ reference_id: each.referenceId, reason: each.reason })),
    undo: referenceIds.length > 0 ? { reference_ids: referenceIds, version } : null,
  };
}

/** The present names: none is stored with the change, so that nothing has to be erased from it. */
async function namesOf(clients: ClientPages, { workspaceId, refusals }: BulkChange): Promise<Map<string, string>> {
  const referenceIds = refusals.flatMap((each) => each.referenceIds);
  if (referenceIds.length === 0) return new Map();
  const found = await clients.read(workspaceId, { referenceIds }, { offset: 0, limit: referenceIds.length });
  return new Map(found.clients.map(({ referenceId, name }) => [referenceId, name]));
}

function toRecord(change: ListedBulkChange): BulkChangeRecord {
  const { patch, undoes } = change.request;
  return {
    change_id: change.id,
    state: change.state,
    request_status: patch.requestStatus ?? null,
    group_name: patch.groupName ?? null,
    client_status: patch.status ?? null,
    undoes: undoes?.id ?? null,
    started_by: change.actor.name,
    created_at: timeText(change.createdAt),
    ended_at: change.endedAt === null ? null : timeText(change.endedAt),
    total_count: change.total,
    changed: change.changed,
    unchanged: change.unchanged,
    refused: change.refused,
    undoable: change.undoable,
    reason: change.reason,
  };
}
