import { dayParam, pageParam, textParam } from '../search-params.ts';

export interface ActivitySearch {
  page?: number | undefined;
  search?: string | undefined;
  kind?: string | undefined;
  member?: string | undefined;
  /** The first day and the last one, in the reader's time zone. */
  from?: string | undefined;
  to?: string | undefined;
  /** Whether the text is searched for in the whole log, and not only in its newest entries. */
  whole?: true | undefined;
}

export function parseActivitySearch(search: Record<string, unknown>): ActivitySearch {
  return {
    page: pageParam(search.page),
    search: textParam(search.search),
    kind: textParam(search.kind),
    member: textParam(search.member),
    from: dayParam(search.from),
    to: dayParam(search.to),
    whole: search.whole === true ? true : undefined,
  };
}

export function hasActivityFilters({ page, whole, ...filters }: ActivitySearch): boolean {
  return Object.values(filters).some((value) => value !== undefined);
}

/** Nothing can match then. */
export function endsBeforeItBegins({ from, to }: ActivitySearch): boolean {
  return from !== undefined && to !== undefined && to < from;
}

export interface SignInSearch {
  /** The page to open after signing in. `loadPage` makes sure that it is one of ours. */
  next?: string | undefined;
  /**
   * `code` when the sign-in service has named the member, and the second factor is missing; `account` when it has named
   * somebody who has several accounts; `switch` for a member who wants to change to another account.
   */
  step?: string | undefined;
  /** Why signing in through the service has failed. */
  problem?: string | undefined;
}

export function parseSignInSearch(search: Record<string, unknown>): SignInSearch {
  return { next: textParam(search.next), step: textParam(search.step), problem: textParam(search.problem) };
}
