import { pageParam, textParam } from '../search-params.ts';

export interface ActivitySearch {
  page?: number | undefined;
  kind?: string | undefined;
  member?: string | undefined;
}

export function parseActivitySearch(search: Record<string, unknown>): ActivitySearch {
  return { page: pageParam(search.page), kind: textParam(search.kind), member: textParam(search.member) };
}

export interface SignInSearch {
  /** The page to open after signing in. `loadPage` makes sure that it is one of ours. */
  next?: string | undefined;
  /** Set to `code` when the sign-in service has named the member, and the second factor is missing. */
  step?: string | undefined;
  /** Why signing in through the service has failed. */
  problem?: string | undefined;
}

export function parseSignInSearch(search: Record<string, unknown>): SignInSearch {
  return { next: textParam(search.next), step: textParam(search.step), problem: textParam(search.problem) };
}
