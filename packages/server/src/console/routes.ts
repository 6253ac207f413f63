import { readActivityRoute } from './activity.ts';
import { clientRoutes } from './clients.ts';
import { exportClientsRoute } from './export-clients.ts';
import { groupRoutes } from './groups.ts';
import { importClientsRoute } from './import-clients.ts';
import { keyRoutes } from './keys.ts';
import { memberRoutes } from './members.ts';
import { overviewRoutes } from './overview.ts';
import { profileRoutes } from './profile.ts';
import { resetRoutes } from './reset.ts';
import type { Route } from './route.ts';
import { sessionRoutes } from './session.ts';

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
