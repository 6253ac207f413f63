import { type EventFields, toFieldsRecord } from '../../domain/clients/index.ts';
import type { ActivityEntry } from '../../domain/members/activity.ts';
import { type ReadActivityDeps, readActivity } from '../../domain/members/read-activity.ts';
import { ActivityActors, ActivityPage, ActivityQuery, type ActivityRecord } from '../contract/members/activity.ts';
import { accountRoute, type ConsoleRoute } from '../define-route.ts';
import { timeText } from '../time.ts';

const PAGE_LIMIT = 50;

export const activityRoutes = (deps: ReadActivityDeps): ConsoleRoute[] => [
  accountRoute({
    methods: ['GET'],
    path: '/console/activity',
    role: 'viewer',
    query: ActivityQuery,
    data: ActivityPage,
    handle: async ({ actor, query, signal }) => {
      const { page = 1, ...filter } = query;
      const window = { offset: (page - 1) * PAGE_LIMIT, limit: PAGE_LIMIT };
      const { totalCount, entries } = await readActivity(deps, { ...actor, signal }, filter, window);
      return {
        page_number: page,
        page_limit: PAGE_LIMIT,
        total_count: totalCount,
        total_pages: Math.ceil(totalCount / PAGE_LIMIT),
        results: entries.map(toRecord),
      };
    },
  }),

  accountRoute({
    methods: ['GET'],
    path: '/console/activity/actors',
    role: 'viewer',
    data: ActivityActors,
    handle: async ({ actor }) => ({ actors: await deps.activity.actors(actor.accountId) }),
  }),
];

function toRecord({ requestId, changed, ...entry }: ActivityEntry): ActivityRecord {
  return { ...entry, at: timeText(entry.at), request_id: requestId, changed: changed && toChanged(changed) };
}

function toChanged({ from, to, reason }: NonNullable<ActivityEntry['changed']>): ActivityRecord['changed'] {
  return { from: toFieldsRecord(from as EventFields), to: toFieldsRecord(to as EventFields), reason };
}
