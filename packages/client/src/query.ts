import { InvalidRequestError } from './errors.ts';
import type { Client, ListClientsQuery } from './generated/api.ts';

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
   * The request status, in lower case or as records show it.
   * @defaultValue none: clients with any request status
   */
  requestStatus?: NonNullable<ListClientsQuery['request_status']> | Client['request_status'] | undefined;
  /**
   * The type of the client: a person or a company.
   * @defaultValue none: clients of any type
   */
  clientType?: NonNullable<ListClientsQuery['client_type']> | undefined;
}

/** The filters of a list, and how many clients each request asks for. */
export interface WalkRequest extends ClientFilters {
  /**
   * Clients per request, 1 to 1000.
   * @defaultValue 1000 for a walk, 10 for a single page
   */
  pageLimit?: number | undefined;
}

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
  requestStatus: 'request_status',
  clientType: 'client_type',
};

/**
 * The query of a request. Unknown names are refused, as the service does, because not every caller uses the types and a
 * misspelt filter must never return all clients.
 */
export function toQuery(request: PageRequest): URLSearchParams {
  const query = new URLSearchParams();
  for (const [name, value] of Object.entries(request)) {
    if (!Object.hasOwn(PARAMETERS, name)) {
      throw new InvalidRequestError(`${name} is not a filter; the filters are ${Object.keys(PARAMETERS).join(', ')}.`);
    }
    if (value === undefined) continue;
    if (typeof value !== 'string' && typeof value !== 'number') {
      throw new InvalidRequestError(`${name} must be a string or a number.`);
    }
    // The service ignores an empty filter, and a variable that is empty by mistake must not return all clients.
    if (value === '')
      throw new InvalidRequestError(`${name} is empty; leave it out if you do not want to filter by it.`);
    query.set(PARAMETERS[name as keyof PageRequest], String(value));
  }
  return query;
}
