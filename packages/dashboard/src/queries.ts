import { keepPreviousData, queryOptions } from '@tanstack/react-query';
import type { ArrivalsRecord, ClientDetail, ClientsPage, GroupList, OverviewRecord } from '#contract/clients/index.ts';
import type { KeyRecord } from '#contract/credentials/index.ts';
import type {
  ActivityPage,
  InvitationRecord,
  MemberRecord,
  ProfileRecord,
  SessionRecord,
} from '#contract/members/index.ts';
import { isTime } from '#contract/times.ts';
import { call, queryOf } from './api.ts';
import { type ActivitySearch, type ClientsSearch, DEFAULT_PAGE_SIZE } from './search.ts';

export type Environment = 'production' | 'sandbox';

export const sessionQuery = queryOptions({
  queryKey: ['session'],
  queryFn: () => call<SessionRecord>('GET', '/session'),
  staleTime: 60_000,
});

export const keysQuery = (environment: Environment) =>
  queryOptions({
    queryKey: [environment, 'keys'],
    queryFn: () => call<{ keys: KeyRecord[] }>('GET', `/${environment}/keys`),
  });

export const membersQuery = queryOptions({
  queryKey: ['members'],
  queryFn: () => call<{ members: MemberRecord[]; invitations: InvitationRecord[] }>('GET', '/members'),
});

export const profileQuery = queryOptions({
  queryKey: ['profile'],
  queryFn: () => call<ProfileRecord>('GET', '/profile'),
});

export const activityQuery = (search: ActivitySearch) =>
  queryOptions({
    queryKey: ['activity', search],
    queryFn: ({ signal }) => call<ActivityPage>('GET', `/activity${queryOf({ ...search })}`, undefined, signal),
    placeholderData: keepPreviousData,
  });

/** The beginning of a calendar date in the reader's own zone; a date that makes no sense is dropped. */
function timeOf(date: string | undefined): number | undefined {
  const time = date === undefined ? Number.NaN : new Date(`${date}T00:00`).getTime();
  return isTime(time) ? time : undefined;
}

export function clientFilters({
  search,
  status,
  type,
  group,
  from,
  until,
}: ClientsSearch): Record<string, string | number | undefined> {
  return {
    search,
    request_status: status,
    client_type: type,
    group_name: group,
    created_from: timeOf(from),
    created_until: timeOf(until),
  };
}

export const clientsQuery = (environment: Environment, search: ClientsSearch) =>
  queryOptions({
    queryKey: [environment, 'clients', search],
    // Who types on has no use for the answer to what was typed before, and a search is work for the server.
    queryFn: ({ signal }) =>
      call<ClientsPage>(
        'GET',
        `/${environment}/clients${queryOf({
          ...clientFilters(search),
          page: search.page,
          page_limit: search.size ?? DEFAULT_PAGE_SIZE,
        })}`,
        undefined,
        signal,
      ),
    placeholderData: keepPreviousData,
  });

export const clientQuery = (environment: Environment, referenceId: string) =>
  queryOptions({
    queryKey: [environment, 'client', referenceId],
    queryFn: () => call<ClientDetail>('GET', `/${environment}/clients/${encodeURIComponent(referenceId)}`),
  });

export const groupsQuery = (environment: Environment) =>
  queryOptions({
    queryKey: [environment, 'groups'],
    queryFn: () => call<GroupList>('GET', `/${environment}/groups`),
  });

export const overviewQuery = (environment: Environment) =>
  queryOptions({
    queryKey: [environment, 'overview'],
    queryFn: () => call<OverviewRecord>('GET', `/${environment}/overview`),
  });

export const arrivalsQuery = (environment: Environment, times: readonly number[]) =>
  queryOptions({
    queryKey: [environment, 'arrivals', times],
    queryFn: () => call<ArrivalsRecord>('GET', `/${environment}/arrivals${queryOf({ times: times.join(',') })}`),
    placeholderData: keepPreviousData,
  });
