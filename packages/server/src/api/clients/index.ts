export { type ListClientsDeps, listClientsRoute } from './list-clients.ts';
export { PageCache } from './page-cache.ts';
