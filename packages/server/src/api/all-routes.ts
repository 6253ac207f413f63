import { type ListClientsDeps, listClientsRoute } from './clients/index.ts';
import { type GenerateAccessTokenDeps, generateAccessTokenRoute } from './credentials/index.ts';
import type { ApiRoute } from './define-route.ts';

export interface ApiDeps extends GenerateAccessTokenDeps, ListClientsDeps {}

/** The whole public contract, one line per route. */
export const apiRoutes = (deps: ApiDeps): ApiRoute[] => [generateAccessTokenRoute(deps), listClientsRoute(deps)];
