import { InvalidRequestError } from './errors.ts';
import type { Client, ListClientsQuery } from './generated/api.ts';

/** Which clients; several filters must all hold. Values may be sent as records show them (`Completed`). */
export interface ClientFilters {
  /** The whole email; letter case is ignored. */
  clientEmail?: string | undefined;
  /** The group's whole name; letter case is ignored. */
  groupName?: string | undefined;
  requestStatus?: NonNullable<ListClientsQuery['request_status']> | Client['request_status'] | undefined;
  clientType?: NonNullable<ListClientsQuery['client_type']> | undefined;
}

export interface WalkRequest extends ClientFilters {
  /** Results per request, 1 to 1000. */
  pageLimit?: number | undefined;
}

export interface PageRequest extends WalkRequest {
  /** From 1 on. */
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
    query.set(PARAMETERS[name as keyof PageRequest], String(value));
  }
  return query;
}
