import type { DenialDeps } from '../domain/members/index.ts';
import {
  bulkChangeRoutes,
  changeManyRoutes,
  clientRoutes,
  exportClientsRoute,
  groupRoutes,
  importPreviewRoute,
  importRoutes,
  overviewRoutes,
  rejectedRowsRoutes,
  reviewRoutes,
  samplesRoute,
  viewRoutes,
} from './clients/index.ts';
import { keyRoutes, recentCallsRoute } from './credentials/index.ts';
import type { ConsoleRoute } from './define-route.ts';
import {
  accountRoutes,
  activityFileRoutes,
  activityRoutes,
  memberRoutes,
  passkeyRoutes,
  profileRoutes,
  providerRoutes,
  resetRoutes,
  sessionRoutes,
} from './members/index.ts';
import { recordingDenials } from './record-denials.ts';

type DepsOf<Routes> = Routes extends (deps: infer Deps) => unknown ? Deps : never;

/** What all routes together depend on. */
export type ConsoleDeps = DepsOf<typeof sessionRoutes> &
  DepsOf<typeof accountRoutes> &
  DepsOf<typeof memberRoutes> &
  DepsOf<typeof resetRoutes> &
  DepsOf<typeof passkeyRoutes> &
  DepsOf<typeof providerRoutes> &
  DepsOf<typeof profileRoutes> &
  DepsOf<typeof overviewRoutes> &
  DepsOf<typeof samplesRoute> &
  DepsOf<typeof clientRoutes> &
  DepsOf<typeof viewRoutes> &
  DepsOf<typeof changeManyRoutes> &
  DepsOf<typeof bulkChangeRoutes> &
  DepsOf<typeof reviewRoutes> &
  DepsOf<typeof importRoutes> &
  DepsOf<typeof rejectedRowsRoutes> &
  DepsOf<typeof exportClientsRoute> &
  DepsOf<typeof groupRoutes> &
  DepsOf<typeof keyRoutes> &
  DepsOf<typeof recentCallsRoute> &
  DepsOf<typeof activityRoutes> &
  DepsOf<typeof activityFileRoutes> &
  DenialDeps;

/** All routes that the dashboard calls. */
export const consoleRoutes = (deps: ConsoleDeps): ConsoleRoute[] =>
  allRoutes(deps).map((route) => recordingDenials(deps, route));

const allRoutes = (deps: ConsoleDeps): ConsoleRoute[] => [
  ...sessionRoutes(deps),
  ...accountRoutes(deps),
  ...memberRoutes(deps),
  ...resetRoutes(deps),
  ...passkeyRoutes(deps),
  ...providerRoutes(deps),
  ...profileRoutes(deps),
  ...overviewRoutes(deps),
  samplesRoute(deps),
  ...clientRoutes(deps),
  ...viewRoutes(deps),
  importPreviewRoute(),
  ...changeManyRoutes(deps),
  ...bulkChangeRoutes(deps),
  ...reviewRoutes(deps),
  ...importRoutes(deps),
  ...rejectedRowsRoutes(deps),
  exportClientsRoute(deps),
  ...groupRoutes(deps),
  ...keyRoutes(deps),
  recentCallsRoute(deps),
  ...activityRoutes(deps),
  ...activityFileRoutes(deps),
];
