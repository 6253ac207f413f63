import { pageParam, textParam } from '../search-params.ts';

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
}

export const PAGE_SIZES = [10, 25, 50, 100] as const;
export const DEFAULT_PAGE_SIZE = 25;

export function parseClientsSearch(search: Record<string, unknown>): ClientsSearch {
  return {
    page: pageParam(search.page),
    size: PAGE_SIZES.find((size) => size === Number(search.size)),
    search: textParam(search.search),
    status: textParam(search.status),
    type: textParam(search.type),
    active: textParam(search.active),
    group: textParam(search.group),
    from: textParam(search.from),
    until: textParam(search.until),
  };
}

export function hasFilters({ search, status, type, active, group, from, until }: ClientsSearch): boolean {
  return [search, status, type, active, group, from, until].some((value) => value !== undefined);
}

export interface GroupsSearch {
  page?: number | undefined;
  /** A part of the name. */
  search?: string | undefined;
}

export function parseGroupsSearch(search: Record<string, unknown>): GroupsSearch {
  return { page: pageParam(search.page), search: textParam(search.search) };
}
