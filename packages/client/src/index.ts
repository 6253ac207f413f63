export type { ClientList } from './client-list.ts';
export type { CallOptions, Clients, PageOptions } from './clients.ts';
export {
  AuthenticationError,
  ConnectionError,
  InvalidRequestError,
  RateLimitError,
  RollcallError,
  ServiceUnavailableError,
  TimeoutError,
} from './errors.ts';
export type { Client, ClientsPage } from './generated/api.ts';
export type { ClientFilters, PageRequest, WalkRequest } from './query.ts';
export { Rollcall } from './rollcall.ts';
export type { RollcallOptions } from './settings.ts';
export type { ClientChange, WatchOptions } from './watch.ts';
