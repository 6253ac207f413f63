import type { Environment } from '#contract/environments.ts';
import { CLIENT_STATUS_LABELS, CLIENT_TYPE_LABELS, REQUEST_STATUS_LABELS } from '../labels.ts';
import { dayParam, oneOfParam, pageParam, textParam } from '../search-params.ts';

export interface ClientsSearch {
  page?: number | undefined;
  size?: number | undefined;
  search?: string | undefined;
  status?: string | undefined;
  type?: string | undefined;
  /** Active or inactive. */
  active?: string | undefined;
  group?: string | undefined;
  from?: string | undefined;
  until?: string | undefined;
  /** Newest first unless it is given. */
  order?: 'oldest' | undefined;
}

export const PAGE_SIZES = [10, 25, 50, 100] as const;
export const DEFAULT_PAGE_SIZE = 25;

export function parseClientsSearch(search: Record<string, unknown>): ClientsSearch {
  return {
    page: pageParam(search.page),
    size: PAGE_SIZES.find((size) => size === Number(search.size)),
    search: textParam(search.search),
    status: oneOfParam(REQUEST_STATUS_LABELS, search.status),
    type: oneOfParam(CLIENT_TYPE_LABELS, search.type),
    active: oneOfParam(CLIENT_STATUS_LABELS, search.active),
    group: textParam(search.group),
    from: dayParam(search.from),
    until: dayParam(search.until),
    order: search.order === 'oldest' ? 'oldest' : undefined,
  };
}

export function hasFilters({ search, status, type, active, group, from, until }: ClientsSearch): boolean {
  return [search, status, type, active, group, from, until].some((value) => value !== undefined);
}

/** The filters with which the list of each environment was shown last, for the ways back to it. */
const lastSearches = new Map<Environment, ClientsSearch>();

export function rememberClientsSearch(environment: Environment, search: ClientsSearch): void {
  lastSearches.set(environment, search);
}

export function lastClientsSearch(environment: Environment): ClientsSearch {
  return lastSearches.get(environment) ?? {};
}

export interface GroupsSearch {
  page?: number | undefined;
  /** A part of the name. */
  search?: string | undefined;
  /** By name unless it is given. */
  order?: GroupOrder | undefined;
}

export const GROUP_ORDER_LABELS = { clients: 'Most clients first', newest: 'Newest first' };
export type GroupOrder = keyof typeof GROUP_ORDER_LABELS;

export function parseGroupsSearch(search: Record<string, unknown>): GroupsSearch {
  return {
    page: pageParam(search.page),
    search: textParam(search.search),
    order: oneOfParam(GROUP_ORDER_LABELS, search.order),
  };
}
