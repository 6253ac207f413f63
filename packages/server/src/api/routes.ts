import type { ExchangeKeyDeps } from '../domain/credentials/index.ts';
import type { Environment } from '../domain/environment.ts';
import { type ListClientsDeps, listClientsRoute } from './clients/index.ts';
import { generateAccessTokenRoute } from './credentials/index.ts';
import type { Route } from './route.ts';

export interface ApiDeps extends ExchangeKeyDeps, ListClientsDeps {
  environment: Environment;
}

/** The whole public contract, one line per endpoint. */
export const routes = (deps: ApiDeps): Route[] => [generateAccessTokenRoute(deps), listClientsRoute(deps)];
