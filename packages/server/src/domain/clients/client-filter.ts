import { fold } from '../text.ts';
import type { ClientStatus, ClientType } from './client.ts';
import { REQUEST_STATUSES, type RequestStatus } from './request-status.ts';

/** A client must match all filters that are given, and one of the values of a filter with several. */
export interface ClientFilter {
  /** Compared in its folded form. */
  email?: string | undefined;
  /** Compared in its folded form. */
  groupName?: string | undefined;
  groupTokens?: readonly string[] | undefined;
  requestStatuses?: readonly RequestStatus[] | undefined;
  clientType?: ClientType | undefined;
  clientStatus?: ClientStatus | undefined;
  referenceIds?: readonly string[] | undefined;
  externalIds?: readonly string[] | undefined;
  createdFrom?: number | undefined;
  /** Exclusive. */
  createdUntil?: number | undefined;
}

/** A search: the filters of the API, and words. */
export interface ClientSearch extends ClientFilter {
  /** As `searchedWords` returns them. A client must have all of them, by their beginnings; nobody has none. */
  words?: readonly string[] | undefined;
}

/**
 * The filter in the form that the store compares: folded text, and values sorted and once each, so that the same list has
 * the same filter. All request statuses together are the same as no filter.
 */
export function normaliseFilter(filter: ClientFilter): ClientFilter {
  const { email, groupName, groupTokens, requestStatuses, referenceIds } = filter;
  const statuses = distinct(requestStatuses);
  return {
    email: email === undefined ? undefined : fold(email),
    groupName: groupName === undefined ? undefined : fold(groupName),
    groupTokens: distinct(groupTokens),
    requestStatuses: statuses?.length === REQUEST_STATUSES.length ? undefined : statuses,
    clientType: filter.clientType,
    clientStatus: filter.clientStatus,
    referenceIds: distinct(referenceIds),
    externalIds: distinct(filter.externalIds),
    createdFrom: filter.createdFrom,
    createdUntil: filter.createdUntil,
  };
}

function distinct<Value extends string>(values: readonly Value[] | undefined): Value[] | undefined {
  return values && [...new Set(values)].sort();
}
