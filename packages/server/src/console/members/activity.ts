import type { ActivityLog } from '../../domain/members/activity.ts';
import { ActivityPage, ActivityQuery } from '../contract/members/activity.ts';
import { accountRoute, type ConsoleRoute } from '../define-route.ts';
import { timeText } from '../time.ts';

const PAGE_LIMIT = 50;

export const readActivityRoute = (deps: { activity: ActivityLog }): ConsoleRoute =>
  accountRoute({
    methods: ['GET'],
    path: '/console/activity',
    role: 'viewer',
    query: ActivityQuery,
    data: ActivityPage,
    handle: async ({ actor, query }) => {
      const { page = 1, ...filter } = query;
      const window = { offset: (page - 1) * PAGE_LIMIT, limit: PAGE_LIMIT };
      const { totalCount, entries } = await deps.activity.read(actor.accountId, filter, window);
      return {
        page_number: page,
        page_limit: PAGE_LIMIT,
        total_count: totalCount,
        total_pages: Math.ceil(totalCount / PAGE_LIMIT),
        results: entries.map((entry) => ({ ...entry, at: timeText(entry.at) })),
      };
    },
  });
