export type { CallOptions, ChangeOptions, WriteOptions } from './call-options.ts';
export type { ClientIterator, ClientList, Clients, PageOptions } from './clients.ts';
export {
  AuthenticationError,
  ChangedError,
  ConflictError,
  ConnectionError,
  InvalidRequestError,
  NotFoundError,
  PermissionError,
  RateLimitError,
  RollcallError,
  ServiceUnavailableError,
  TimeoutError,
} from './errors.ts';
export type { FetchHeaders, FetchInit, FetchLike, FetchResponse } from './fetch.ts';
export type {
  Client,
  ClientByExternalId,
  ClientPatch,
  ClientRecord,
  ClientsPage,
  ClientsSummary,
  Group,
  GroupsPage,
  Import,
  NewClient,
} from './generated/api.ts';
export type { GroupIterator, GroupList, GroupPageRequest, Groups, GroupWalkRequest } from './groups.ts';
export type { ImportedFile, ImportRequest, Imports, WaitOptions } from './imports.ts';
export type { ClientFilters, OneOrSeveral, PageRequest, RequestStatus, WalkRequest, WatchedClients } from './query.ts';
export type { Retry } from './retry.ts';
export { Rollcall } from './rollcall.ts';
export type { RollcallOptions } from './settings.ts';
export type { ClientAdded, ClientChange, ClientChanged, ClientRemoved, WatchOptions } from './watch.ts';
