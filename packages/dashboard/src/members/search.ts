import { pageParam, textParam } from '../search-params.ts';

export interface ActivitySearch {
  page?: number | undefined;
  kind?: string | undefined;
  member?: string | undefined;
}

export function parseActivitySearch(search: Record<string, unknown>): ActivitySearch {
  return { page: pageParam(search.page), kind: textParam(search.kind), member: textParam(search.member) };
}

/** The page to open after signing in. `loadPage` makes sure that it is one of ours. */
export function parseSignInSearch(search: Record<string, unknown>): { next?: string | undefined } {
  return { next: textParam(search.next) };
}
