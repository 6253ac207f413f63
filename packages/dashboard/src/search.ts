// What the addresses of pages may carry. A value that makes no sense is dropped, so that an old or mistyped address
// still opens.

export interface ClientsSearch {
  page?: number | undefined;
  size?: number | undefined;
  search?: string | undefined;
  status?: string | undefined;
  type?: string | undefined;
  group?: string | undefined;
  from?: string | undefined;
  until?: string | undefined;
}

export const PAGE_SIZES = [10, 25, 50, 100] as const;
export const DEFAULT_PAGE_SIZE = 25;

export function clientsSearch(search: Record<string, unknown>): ClientsSearch {
  return {
    page: number(search.page),
    size: PAGE_SIZES.find((size) => size === Number(search.size)),
    search: text(search.search),
    status: text(search.status),
    type: text(search.type),
    group: text(search.group),
    from: text(search.from),
    until: text(search.until),
  };
}

export interface GroupsSearch {
  page?: number | undefined;
  /** A part of the name. */
  search?: string | undefined;
}

export function groupsSearch(search: Record<string, unknown>): GroupsSearch {
  return { page: number(search.page), search: text(search.search) };
}

export interface ActivitySearch {
  page?: number | undefined;
  kind?: string | undefined;
  member?: string | undefined;
}

export function activitySearch(search: Record<string, unknown>): ActivitySearch {
  return { page: number(search.page), kind: text(search.kind), member: text(search.member) };
}

/** Where to go after the sign-in. Whether it may be gone to is decided where it is done, in `goTo`. */
export function nextSearch(search: Record<string, unknown>): { next?: string | undefined } {
  return { next: text(search.next) };
}

function number(value: unknown): number | undefined {
  const page = Number(value);
  return Number.isSafeInteger(page) && page > 1 ? page : undefined;
}

function text(value: unknown): string | undefined {
  if (typeof value === 'number') return String(value);
  return typeof value === 'string' && value !== '' ? value : undefined;
}

export function hasFilters({ search, status, type, group, from, until }: ClientsSearch): boolean {
  return [search, status, type, group, from, until].some((value) => value !== undefined);
}
