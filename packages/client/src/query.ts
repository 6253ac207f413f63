import { InvalidRequestError } from './errors.ts';
import type { Client, ListClientsQuery } from './generated/api.ts';

/** Which clients; several filters must all hold. Values may be sent as records show them (`Completed`). */
export interface ClientFilters {
  /**
   * The whole email; letter case is ignored.
   * @defaultValue none: clients with any email
   */
  clientEmail?: string | undefined;
  /**
   * The group's whole name; letter case is ignored.
   * @defaultValue none: clients of any group
   */
  groupName?: string | undefined;
  /**
   * How far the client's request has come, in lower case or as records show it.
   * @defaultValue none: clients with any request status
   */
  requestStatus?: NonNullable<ListClientsQuery['request_status']> | Client['request_status'] | undefined;
  /**
   * Whether the client is a person or a company.
   * @defaultValue none: clients of any type
   */
  clientType?: NonNullable<ListClientsQuery['client_type']> | undefined;
}

/** What a walk is about. */
export interface WalkRequest extends ClientFilters {
  /**
   * Clients per request, 1 to 1000.
   * @defaultValue 1000 for a walk, 10 for a single page
   */
  pageLimit?: number | undefined;
}

/** Which page. */
export interface PageRequest extends WalkRequest {
  /**
   * The number of the page, from 1 on.
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
 * The query of a request. Types do not reach every caller, and a misspelt filter must never return everybody:
 * what is not known here is refused, as the service would.
 */
export function queryOf(request: PageRequest): URLSearchParams {
  const query = new URLSearchParams();
  for (const [name, value] of Object.entries(request)) {
    if (!Object.hasOwn(PARAMETERS, name)) {
      throw new InvalidRequestError(`${name} is not a filter; there are ${Object.keys(PARAMETERS).join(', ')}.`);
    }
    if (value === undefined) continue;
    if (typeof value !== 'string' && typeof value !== 'number') {
      throw new InvalidRequestError(`${name} must be text or a number.`);
    }
    // The service takes an empty filter for none, and a variable that is empty by mistake must not return everybody.
    if (value === '') throw new InvalidRequestError(`${name} is empty; leave it out to ask without it.`);
    query.set(PARAMETERS[name as keyof PageRequest], String(value));
  }
  return query;
}
