import {
  type ListClientsDeps,
  listClientsRoute,
  type SummariseClientsDeps,
  summariseClientsRoute,
} from './clients/index.ts';
import {
  type GenerateAccessTokenDeps,
  generateAccessTokenRoute,
  listPublicKeysRoute,
  type PublicKeysDeps,
} from './credentials/index.ts';
import type { ApiRoute } from './define-route.ts';

export interface ApiDeps
  extends Omit<GenerateAccessTokenDeps, 'signingKeys'>,
    ListClientsDeps,
    SummariseClientsDeps,
    PublicKeysDeps {}

/** The whole public contract, one line per route. */
export const apiRoutes = (deps: ApiDeps): ApiRoute[] => [
  generateAccessTokenRoute(deps),
  listClientsRoute(deps),
  summariseClientsRoute(deps),
  listPublicKeysRoute(deps),
];
