export { addSamplesRoute } from './add-samples.ts';
export {
  cancelImportRoute,
  type ImportsDeps,
  readImportRoute,
  readRejectsRoute,
  startImportRoute,
} from './imports.ts';
export { type ListClientsDeps, listClientsRoute } from './list-clients.ts';
export { PageCache } from './page-cache.ts';
export { RunningRequests } from './running-requests.ts';
export { type SummariseClientsDeps, summariseClientsRoute } from './summarise-clients.ts';
export {
  createClientRoute,
  eraseClientRoute,
  putClientRoute,
  readClientRoute,
  updateClientRoute,
  type WriteClientsDeps,
} from './write-clients.ts';
export { createGroupRoute, type GroupsDeps, listGroupsRoute, renameGroupRoute } from './write-groups.ts';
