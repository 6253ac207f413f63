import type { Client, ListClientsQuery } from './generated/api.ts';
import { toParameters } from './query-parameters.ts';

/** Selects clients that match all filters. Values may also be given as records show them (`Completed`). */
export interface ClientFilters {
  /**
   * The whole email. Letter case does not matter.
   * @defaultValue none: clients with any email
   */
  clientEmail?: string | undefined;
  /**
   * The whole name of the group. Letter case does not matter.
   * @defaultValue none: clients of any group
   */
  groupName?: string | undefined;
  /**
   * The tokens of up to 20 groups.
   * @defaultValue none: clients of any group
   */
  groupToken?: OneOrSeveral<string> | undefined;
  /**
   * One or several request statuses, in lower case or as records show them.
   * @defaultValue none: clients with any request status
   */
  requestStatus?: OneOrSeveral<RequestStatus> | undefined;
  /**
   * The type of the client: a person or a company.
   * @defaultValue none: clients of any type
   */
  clientType?: NonNullable<ListClientsQuery['client_type']> | undefined;
  /**
   * Whether the client is active.
   * @defaultValue none: active and inactive clients
   */
  clientStatus?: NonNullable<ListClientsQuery['client_status']> | undefined;
  /**
   * The references of up to 100 clients.
   * @defaultValue none: any client
   */
  referenceId?: OneOrSeveral<string> | undefined;
  /**
   * The ids of up to 100 clients in your own system. Letter case matters.
   * @defaultValue none: any client
   */
  externalId?: OneOrSeveral<string> | undefined;
  /**
   * Clients created at this time or later: a `Date`, an RFC 3339 time, or a date (its beginning in UTC).
   * @defaultValue none
   */
  createdFrom?: Date | string | undefined;
  /**
   * Clients created before this time: a `Date`, an RFC 3339 time, or a date (its beginning in UTC).
   * @defaultValue none
   */
  createdTo?: Date | string | undefined;
}

/** A request status, in lower case or as records show it. */
export type RequestStatus = NonNullable<ListClientsQuery['request_status']>[number] | Client['request_status'];

/** A value, or several of which a client must match one. */
export type OneOrSeveral<Value> = Value | readonly Value[];

/** The filters of a list, and how many clients each request asks for. */
export interface WalkRequest extends ClientFilters {
  /**
   * Clients per request, 1 to 1000.
   * @defaultValue 1000 for a walk, 10 for a single page
   */
  pageLimit?: number | undefined;
  /**
   * Which clients come first, by the time at which they were created.
   * @defaultValue `newest`
   */
  order?: NonNullable<ListClientsQuery['order']> | undefined;
  /**
   * Fields that clients have only if they are asked for: `external_id`, `updated_at`.
   * @defaultValue none
   */
  include?: OneOrSeveral<NonNullable<ListClientsQuery['include']>[number]> | undefined;
}

/** The filters of a watch. A client has changed if any of its fields has, so fields that are to be watched must be included. */
export type WatchedClients = ClientFilters & Pick<WalkRequest, 'include'>;

/** The filters of a list, and the page. */
export interface PageRequest extends WalkRequest {
  /**
   * The number of the page, starting with 1.
   * @defaultValue 1
   */
  pageNo?: number | undefined;
}

const PARAMETERS: Record<keyof PageRequest, keyof ListClientsQuery> = {
  pageNo: 'page_no',
  pageLimit: 'page_limit',
  clientEmail: 'client_email',
  groupName: 'group_name',
  groupToken: 'group_token',
  requestStatus: 'request_status',
  clientType: 'client_type',
  clientStatus: 'client_status',
  referenceId: 'reference_id',
  externalId: 'external_id',
  createdFrom: 'created_from',
  createdTo: 'created_to',
  order: 'order',
  include: 'include',
};

/** The query of a list or of a page. */
export function toQuery(request: PageRequest): URLSearchParams {
  return toParameters(request, PARAMETERS, 'filter');
}

/** The query of a summary, which has no pages and no order. */
export function toSummaryQuery(filters: ClientFilters): URLSearchParams {
  const { pageNo, pageLimit, order, include, ...parameters } = PARAMETERS;
  return toParameters(filters, parameters, 'filter');
}
