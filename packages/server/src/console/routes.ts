import type { Accounts } from '../domain/account.ts';
import type { ClientImports } from '../domain/import-clients.ts';
import type { ManageClientsDeps } from '../domain/manage-clients.ts';
import type { ManageMembersDeps } from '../domain/manage-members.ts';
import type { ManageProfileDeps } from '../domain/manage-profile.ts';
import type { MemberKeysDeps } from '../domain/member-keys.ts';
import type { SearchDeps } from '../domain/search-clients.ts';
import { readActivityRoute } from './activity.ts';
import { clientRoutes } from './clients.ts';
import { exportClientsRoute } from './export-clients.ts';
import { groupRoutes } from './groups.ts';
import { importClientsRoute } from './import-clients.ts';
import { keyRoutes } from './keys.ts';
import { memberRoutes } from './members.ts';
import { type OverviewDeps, overviewRoutes } from './overview.ts';
import { profileRoutes } from './profile.ts';
import type { Route } from './route.ts';
import { type Addresses, sessionRoutes } from './session.ts';

export interface ConsoleDeps extends ManageProfileDeps, ManageMembersDeps, MemberKeysDeps, OverviewDeps {
  accounts: Accounts;
  clients: ManageClientsDeps['clients'] & SearchDeps['clients'] & ClientImports;
  searches: SearchDeps['searches'];
  addresses: Addresses;
}

/** Everything that the dashboard can ask for. */
export const routes = (deps: ConsoleDeps): Route[] => [
  ...sessionRoutes(deps),
  ...memberRoutes(deps),
  ...profileRoutes(deps),
  ...overviewRoutes(deps),
  ...clientRoutes(deps),
  importClientsRoute(deps),
  exportClientsRoute(deps),
  ...groupRoutes(deps),
  ...keyRoutes(deps),
  readActivityRoute(deps),
];
