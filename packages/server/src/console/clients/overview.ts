import type { ClientCounts } from '../../domain/clients/client-counts.ts';
import { type ClientSummaries, summariseClients } from '../../domain/clients/summarise-clients.ts';
import type { ApiKeys } from '../../domain/credentials/index.ts';
import { Failure } from '../../domain/failure.ts';
import { isTime } from '../../domain/time.ts';
import {
  NEW_CLIENTS_TIMES_MAX,
  NewClientsQuery,
  NewClientsRecord,
  OverviewRecord,
} from '../contract/clients/overview.ts';
import { type ConsoleRoute, workspaceRoute } from '../define-route.ts';

/** How many groups are named, and one more if it would be the only other with clients. */
const LARGEST = 5;

export interface OverviewDeps {
  counts: ClientCounts;
  summaries: ClientSummaries;
  keys: ApiKeys;
}

export const overviewRoutes = (deps: OverviewDeps): ConsoleRoute[] => [
  workspaceRoute({
    methods: ['GET'],
    path: '/console/:environment/overview',
    role: 'viewer',
    data: OverviewRecord,
    handle: async ({ workspaceId, signal }) => {
      const [summary, groups, keys] = await Promise.all([
        summariseClients(deps, workspaceId, {}, { groupsMax: LARGEST + 1, signal }),
        deps.counts.groups(workspaceId),
        deps.keys.list(workspaceId),
      ]);
      const largest = summary.otherGroupsCount === 0 ? summary.largestGroups : summary.largestGroups.slice(0, LARGEST);
      return {
        clients: summary.totalCount,
        by_status: summary.byRequestStatus,
        by_type: summary.byClientType,
        groups,
        largest_groups: largest.map(({ name, clients }) => ({ group_name: name, clients })),
        has_keys: keys.length > 0,
        has_calls: keys.some(({ lastUsedAt }) => lastUsedAt !== null),
      };
    },
  }),

  workspaceRoute({
    methods: ['GET'],
    path: '/console/:environment/new-clients',
    role: 'viewer',
    query: NewClientsQuery,
    data: NewClientsRecord,
    handle: async ({ workspaceId, query }) => ({
      counts: await deps.counts.createdBetween(workspaceId, readTimes(query.times)),
    }),
  }),
];

function readTimes(text = ''): number[] {
  const times = text.split(',').map((time) => (/^\d{1,15}$/.test(time) ? Number(time) : Number.NaN));
  const ascends = times.every((time, index) => isTime(time) && time >= (times[index - 1] ?? 0));
  if (ascends && times.length >= 2 && times.length <= NEW_CLIENTS_TIMES_MAX) return times;
  throw new Failure('bad_parameter', `times must be 2 to ${NEW_CLIENTS_TIMES_MAX} ascending times in milliseconds.`);
}
