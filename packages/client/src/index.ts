export type { ClientList } from './client-list.ts';
export type { CallOptions, Clients, PageOptions } from './clients.ts';
export {
  AuthenticationError,
  ConnectionError,
  InvalidRequestError,
  PermissionError,
  RateLimitError,
  RollcallError,
  ServiceUnavailableError,
  TimeoutError,
} from './errors.ts';
export type { FetchHeaders, FetchInit, FetchLike, FetchResponse } from './fetch.ts';
export type { ClientIterator } from './flattened-pages.ts';
export type { Client, ClientsPage, ClientsSummary } from './generated/api.ts';
export type { ClientFilters, OneOrSeveral, PageRequest, RequestStatus, WalkRequest, WatchedClients } from './query.ts';
export type { Retry } from './retry.ts';
export { Rollcall } from './rollcall.ts';
export type { RollcallOptions } from './settings.ts';
export type { ClientAdded, ClientChange, ClientChanged, ClientRemoved, WatchOptions } from './watch.ts';
