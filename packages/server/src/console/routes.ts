import { clientRoutes, exportClientsRoute, groupRoutes, importClientsRoute, overviewRoutes } from './clients/index.ts';
import { keyRoutes } from './credentials/index.ts';
import { memberRoutes, profileRoutes, readActivityRoute, resetRoutes, sessionRoutes } from './members/index.ts';
import type { Route } from './route.ts';

type DepsOf<Routes> = Routes extends (deps: infer Deps) => unknown ? Deps : never;

/** What all routes together need. */
export type ConsoleDeps = DepsOf<typeof sessionRoutes> &
  DepsOf<typeof memberRoutes> &
  DepsOf<typeof resetRoutes> &
  DepsOf<typeof profileRoutes> &
  DepsOf<typeof overviewRoutes> &
  DepsOf<typeof clientRoutes> &
  DepsOf<typeof importClientsRoute> &
  DepsOf<typeof exportClientsRoute> &
  DepsOf<typeof groupRoutes> &
  DepsOf<typeof keyRoutes> &
  DepsOf<typeof readActivityRoute>;

/** Everything that the dashboard can ask for. */
export const routes = (deps: ConsoleDeps): Route[] => [
  ...sessionRoutes(deps),
  ...memberRoutes(deps),
  ...resetRoutes(deps),
  ...profileRoutes(deps),
  ...overviewRoutes(deps),
  ...clientRoutes(deps),
  importClientsRoute(deps),
  exportClientsRoute(deps),
  ...groupRoutes(deps),
  ...keyRoutes(deps),
  readActivityRoute(deps),
];
