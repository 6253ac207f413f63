import {
  createClientRoute,
  createGroupRoute,
  eraseClientRoute,
  type GroupsDeps,
  type ListClientsDeps,
  listClientsRoute,
  listGroupsRoute,
  putClientRoute,
  readClientRoute,
  renameGroupRoute,
  type SummariseClientsDeps,
  summariseClientsRoute,
  updateClientRoute,
  type WriteClientsDeps,
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
    Omit<ListClientsDeps, 'clients'>,
    SummariseClientsDeps,
    Omit<WriteClientsDeps, 'clients'>,
    GroupsDeps,
    PublicKeysDeps {
  clients: ListClientsDeps['clients'] & WriteClientsDeps['clients'];
}

/** The whole public contract, one line per route. */
export const apiRoutes = (deps: ApiDeps): ApiRoute[] => [
  generateAccessTokenRoute(deps),
  listClientsRoute(deps),
  summariseClientsRoute(deps),
  createClientRoute(deps),
  readClientRoute(deps),
  updateClientRoute(deps),
  putClientRoute(deps),
  eraseClientRoute(deps),
  listGroupsRoute(deps),
  createGroupRoute(deps),
  renameGroupRoute(deps),
  listPublicKeysRoute(deps),
];
