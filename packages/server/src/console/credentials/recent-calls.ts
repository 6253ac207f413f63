import type { Clock } from '../../domain/clock.ts';
import type { KeyUsageStore } from '../../domain/credentials/key-usage.ts';
import { readRecentCalls } from '../../domain/credentials/recent-calls.ts';
import { RecentCallsRecord } from '../contract/credentials/recent-calls.ts';
import { type ConsoleRoute, workspaceRoute } from '../define-route.ts';
import { timeText } from '../time.ts';

export const recentCallsRoute = (deps: { keyUsage: KeyUsageStore; clock: Clock }): ConsoleRoute =>
  workspaceRoute({
    methods: ['GET'],
    path: '/console/:environment/recent-calls',
    role: 'viewer',
    data: RecentCallsRecord,
    handle: async ({ workspaceId }) => {
      const calls = await readRecentCalls(deps, workspaceId);
      return {
        calls_per_hour: calls.callsPerHour,
        failed_per_hour: calls.failedPerHour,
        limited_per_hour: calls.limitedPerHour,
        last_hour_at: timeText(calls.lastHourAt),
      };
    },
  });
