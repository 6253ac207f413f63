import type { Environment } from '../domain/environment.ts';
import type { ExchangeKeyDeps } from '../domain/exchange-key.ts';
import { generateAccessTokenRoute } from './generate-access-token.ts';
import { type ListClientsDeps, listClientsRoute } from './list-clients.ts';
import type { Route } from './route.ts';

export interface ApiDeps extends ExchangeKeyDeps, ListClientsDeps {
  environment: Environment;
}

/** The whole public contract, one line per endpoint. */
export const routes = (deps: ApiDeps): Route[] => [generateAccessTokenRoute(deps), listClientsRoute(deps)];
