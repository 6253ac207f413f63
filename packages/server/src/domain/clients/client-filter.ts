import type { ClientType } from './client.ts';
import type { RequestStatus } from './request-status.ts';

/** A client must match all filters that are given. Text is compared in its folded form. */
export interface ClientFilter {
  email?: string | undefined;
  groupName?: string | undefined;
  requestStatus?: RequestStatus | undefined;
  clientType?: ClientType | undefined;
}

/** A search in the dashboard: the filters of the API, a text fragment and a range of creation times. */
export interface ClientSearch extends ClientFilter {
  /** Part of the email or of the name. */
  fragment?: string | undefined;
  createdFrom?: number | undefined;
  /** Exclusive. */
  createdUntil?: number | undefined;
}

export function hasOnlyApiFilters({ fragment, createdFrom, createdUntil }: ClientSearch): boolean {
  return fragment === undefined && createdFrom === undefined && createdUntil === undefined;
}
