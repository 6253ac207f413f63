export { type ListClientsDeps, listClientsRoute } from './list-clients.ts';
export { PageCache } from './page-cache.ts';
export { type SummariseClientsDeps, summariseClientsRoute } from './summarise-clients.ts';
