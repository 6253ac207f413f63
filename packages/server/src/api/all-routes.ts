import {
  addSamplesRoute,
  cancelImportRoute,
  createClientRoute,
  createGroupRoute,
  eraseClientRoute,
  type GroupsDeps,
  type ImportsDeps,
  type ListClientsDeps,
  listClientsRoute,
  listGroupsRoute,
  putClientRoute,
  readClientRoute,
  readImportRoute,
  readRejectsRoute,
  renameGroupRoute,
  type SummariseClientsDeps,
  startImportRoute,
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
    ImportsDeps,
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
  startImportRoute(deps),
  readImportRoute(deps),
  cancelImportRoute(deps),
  readRejectsRoute(deps),
  ...(deps.environment === 'production' ? [] : [addSamplesRoute(deps)]),
  listPublicKeysRoute(deps),
];
