import { infiniteQueryOptions, queryOptions } from '@tanstack/react-query';
import type { ClientCountsRecord, NeighboursRecord } from '#contract/clients/clients.ts';
import type {
  ImportClients,
  ImportDetail,
  ImportRecord,
  LatestImports,
  RejectsPage,
} from '#contract/clients/imports.ts';
import type {
  ClientDetail,
  ClientsPage,
  GroupList,
  NewClientsRecord,
  OverviewRecord,
} from '#contract/clients/index.ts';
import type { Assigned, ReviewPage, ReviewTimesRecord, WaitingRecord } from '#contract/clients/review.ts';
import type { ViewList } from '#contract/clients/views.ts';
import type { Environment } from '#contract/environments.ts';
import { callConsole, isTemporary, queryString } from '../api.ts';
import { compareNames } from '../compare-names.ts';
import { startOfDay } from '../days.ts';
import { assignedIn, type ClientSearch, type ClientsSearch, DEFAULT_PAGE_SIZE } from './search.ts';

const IMPORT_REFETCH_MS = 700;
/** At first, because most imports take less than a second. The pauses are doubled. */
const FIRST_REFETCH_MS = 50;
const IMPORTS_REFETCH_MS = 5000;
const REVIEW_REFETCH_MS = 60_000;

/**
 * While another page or filter loads, what was shown before stays, so that nothing jumps. It does so only if its key begins in the
 * same way: what belongs to the other environment is never shown as if it were of this one.
 */
function keepWithin(begin: readonly unknown[]) {
  return <Data>(data: Data | undefined, query: { queryKey: readonly unknown[] } | undefined): Data | undefined =>
    begin.every((part, index) => query?.queryKey[index] === part) ? data : undefined;
}

export const clientsQuery = (environment: Environment, search: ClientsSearch) =>
  queryOptions({
    queryKey: [environment, 'clients', search],
    // The signal cancels a search that has been replaced by a newer one, so that the server does not finish it in vain.
    queryFn: ({ signal }) =>
      callConsole<ClientsPage>('GET', `/${environment}/clients${pageOf(search)}`, undefined, signal),
    placeholderData: keepWithin([environment]),
  });

/** The page of the list that is shown, as the console is asked for it. */
export function pageOf(search: ClientsSearch): string {
  const { page, size = DEFAULT_PAGE_SIZE, order } = search;
  return queryString({ ...clientFilters(search), page, page_limit: size, order });
}

/** The clients before and after one in the list from which it was opened. */
export const neighboursQuery = (environment: Environment, referenceId: string, { queue, ...search }: ClientSearch) =>
  queryOptions({
    queryKey: [environment, 'clients', 'neighbours', referenceId, queue, search],
    queryFn: ({ signal }) => {
      const list = queue ? 'review' : 'clients';
      const query = queue ? queryString({ assigned: assignedIn(queue) }) : pageOf(search);
      const path = `/${environment}/${list}/${encodeURIComponent(referenceId)}/neighbours${query}`;
      return callConsole<NeighboursRecord>('GET', path, undefined, signal);
    },
  });

export const viewsQuery = (environment: Environment) =>
  queryOptions({
    queryKey: [environment, 'views'],
    queryFn: () => callConsole<ViewList>('GET', `/${environment}/views`),
    staleTime: 60_000,
  });

/** How many clients each status has, among those that the other filters match. A search does not count that. */
export const clientCountsQuery = (environment: Environment, search: ClientsSearch) => {
  const { search: _words, request_status: _status, ...filters } = clientFilters(search);
  return queryOptions({
    queryKey: [environment, 'clients', 'counts', filters],
    queryFn: ({ signal }) =>
      callConsole<ClientCountsRecord>('GET', `/${environment}/client-counts${queryString(filters)}`, undefined, signal),
    enabled: search.search === undefined,
    placeholderData: keepWithin([environment]),
  });
};

/** The filters in the address of the page, as the console names them. */
export function clientFilters(search: ClientsSearch): Record<string, string | number | undefined> {
  return {
    search: search.search,
    request_status: search.status,
    client_type: search.type,
    client_status: search.active,
    group_name: search.group,
    group_token: search.groups,
    created_from: search.days === undefined ? startOfDay(search.from) : daysAgo(search.days - 1),
    created_until: startOfDay(search.until),
  };
}

/** The beginning of the day that was so many days ago. */
function daysAgo(days: number): number {
  const day = new Date();
  day.setHours(0, 0, 0, 0);
  return day.setDate(day.getDate() - days);
}

export const clientQuery = (environment: Environment, referenceId: string) =>
  queryOptions({
    queryKey: [environment, 'client', referenceId],
    queryFn: () => callConsole<ClientDetail>('GET', `/${environment}/clients/${encodeURIComponent(referenceId)}`),
  });

/** The clients that wait for a review, page by page. While only the first is shown, it is fetched again now and then. */
export const reviewQuery = (environment: Environment, assigned: Assigned | undefined) =>
  infiniteQueryOptions({
    queryKey: [environment, 'review', assigned ?? 'anybody'],
    queryFn: async ({ pageParam: after, signal }) => {
      const askedAt = performance.now();
      const path = `/${environment}/review${queryString({ assigned, after })}`;
      return { ...(await callConsole<ReviewPage>('GET', path, undefined, signal)), askedAt };
    },
    initialPageParam: undefined as string | undefined,
    getNextPageParam: ({ next }) => next,
    refetchInterval: ({ state }) => state.data?.pages.length === 1 && REVIEW_REFETCH_MS,
  });

/** What has become of a client, and when that was known. */
export interface ReviewNote {
  at: number;
  /** Missing if the client does not wait any more. */
  now: WaitingRecord | undefined;
}

/** By the references of the clients. */
export type ReviewNotes = ReadonlyMap<string, ReviewNote>;

/** Notes are apart from the pages, because a page that is being fetched would bring back what was before. They are never fetched. */
export const reviewNotesQuery = (environment: Environment) =>
  queryOptions({
    queryKey: [environment, 'review-notes'],
    initialData: new Map() as ReviewNotes,
    enabled: false,
  });

/** How many clients wait for a review, among other counts, fetched again now and then. */
export const waitingQuery = (environment: Environment) => ({
  ...clientCountsQuery(environment, {}),
  refetchInterval: REVIEW_REFETCH_MS,
});

export const reviewTimesQuery = (environment: Environment) =>
  queryOptions({
    queryKey: [environment, 'review-times'],
    queryFn: () => callConsole<ReviewTimesRecord>('GET', `/${environment}/review/times`),
  });

/** All groups by name, as people count: Group 2 before Group 10. */
export const groupsQuery = (environment: Environment) =>
  queryOptions({
    queryKey: [environment, 'groups'],
    queryFn: async () => {
      const { groups } = await callConsole<GroupList>('GET', `/${environment}/groups`);
      return { groups: groups.toSorted((a, b) => compareNames(a.group_name, b.group_name)) };
    },
  });

export const overviewQuery = (environment: Environment) =>
  queryOptions({
    queryKey: [environment, 'overview'],
    queryFn: () => callConsole<OverviewRecord>('GET', `/${environment}/overview`),
  });

/** How many clients were added between each of the times of a period and the next. The times are those when it is asked for. */
export const newClientsQuery = (environment: Environment, period: string, timesNow: () => number[]) =>
  queryOptions({
    queryKey: [environment, 'new-clients', period],
    queryFn: async () => {
      const times = timesNow();
      const query = queryString({ times: times.join(',') });
      const { counts } = await callConsole<NewClientsRecord>('GET', `/${environment}/new-clients${query}`);
      return { times, counts };
    },
    placeholderData: keepWithin([environment]),
  });

export const importQuery = (environment: Environment, importId: string) =>
  queryOptions({
    queryKey: [environment, 'imports', importId],
    queryFn: () => callConsole<ImportDetail>('GET', `/${environment}/imports/${encodeURIComponent(importId)}`),
    // Also if the state is unknown, because the service could not answer for a moment.
    refetchInterval: ({ state: { data, error, dataUpdateCount } }) =>
      (data ? !isOver(data.import) : isTemporary(error)) &&
      Math.min(IMPORT_REFETCH_MS, error ? IMPORT_REFETCH_MS : FIRST_REFETCH_MS * 2 ** dataUpdateCount),
  });

export const latestImportsQuery = (environment: Environment, page: number) =>
  queryOptions({
    queryKey: [environment, 'imports', 'page', page],
    queryFn: () => callConsole<LatestImports>('GET', `/${environment}/imports${queryString({ page })}`),
    // Somebody else may start one.
    refetchInterval: ({ state }) =>
      state.data?.results.some((each) => !isOver(each)) ? IMPORT_REFETCH_MS : IMPORTS_REFETCH_MS,
    placeholderData: keepWithin([environment]),
  });

/** The rows that an import has rejected, with their cells. */
export const rejectsQuery = (environment: Environment, importId: string, page: number) =>
  queryOptions({
    queryKey: [environment, 'imports', importId, 'rejects', page],
    queryFn: () =>
      callConsole<RejectsPage>('GET', `/${environment}/imports/${importId}/rejects${queryString({ page })}`),
    placeholderData: keepWithin([environment, 'imports', importId]),
  });

/** The clients that an import has added or changed. */
export const importClientsQuery = (environment: Environment, importId: string, page: number) =>
  queryOptions({
    queryKey: [environment, 'imports', importId, 'clients', page],
    queryFn: () =>
      callConsole<ImportClients>('GET', `/${environment}/imports/${importId}/clients${queryString({ page })}`),
    placeholderData: keepWithin([environment, 'imports', importId, 'clients']),
  });

export function isOver({ state }: ImportRecord): boolean {
  return state !== 'queued' && state !== 'running';
}
