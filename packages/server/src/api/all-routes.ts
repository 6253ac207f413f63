import type { ExchangeKeyDeps } from '../domain/credentials/index.ts';
import type { Environment } from '../domain/environment.ts';
import { type ListClientsDeps, listClientsRoute } from './clients/index.ts';
import { generateAccessTokenRoute, listPublicKeysRoute, type PublicKeysDeps } from './credentials/index.ts';
import type { ApiRoute } from './define-route.ts';

export interface ApiDeps extends Omit<ExchangeKeyDeps, 'signingKeys'>, ListClientsDeps, PublicKeysDeps {
  environment: Environment;
}

/** The whole public contract, one line per route. */
export const apiRoutes = (deps: ApiDeps): ApiRoute[] => [
  generateAccessTokenRoute(deps),
  listClientsRoute(deps),
  listPublicKeysRoute(deps),
];
