import { keepPreviousData, queryOptions, useQuery } from '@tanstack/react-query';
import type { Environment } from '#contract/environments.ts';
import type { AccountRecord } from '#contract/members/account.ts';
import type { ListedClients } from '#contract/members/activity.ts';
import type { BrowserList } from '#contract/members/browsers.ts';
import type {
  ActivityActors,
  ActivityPage,
  InvitationRecord,
  MemberRecord,
  ProfileRecord,
} from '#contract/members/index.ts';
import type { SetUpState } from '#contract/members/session.ts';
import { callConsole, queryString } from '../api.ts';
import { nextDay, startOfDay } from '../days.ts';
import { actorText } from '../labels.ts';
import { type ActivitySearch, endsBeforeItBegins } from './search.ts';

/** How soon a page that waits for the first account notices it. */
const SET_UP_REFETCH_MS = 3000;

export const setUpQuery = queryOptions({
  queryKey: ['set-up'],
  queryFn: () => callConsole<SetUpState>('GET', '/set-up'),
  refetchInterval: ({ state }) => state.data?.is_needed === true && SET_UP_REFETCH_MS,
});

export const membersQuery = queryOptions({
  queryKey: ['members'],
  queryFn: () => callConsole<{ members: MemberRecord[]; invitations: InvitationRecord[] }>('GET', '/members'),
});

export const memberBrowsersQuery = (memberId: number) =>
  queryOptions({
    queryKey: ['members', memberId, 'sessions'],
    queryFn: () => callConsole<BrowserList>('GET', `/members/${memberId}/sessions`),
  });

export const accountQuery = queryOptions({
  queryKey: ['account'],
  queryFn: () => callConsole<AccountRecord>('GET', '/account'),
});

export const profileQuery = queryOptions({
  queryKey: ['profile'],
  queryFn: () => callConsole<ProfileRecord>('GET', '/profile'),
});

export const activityQuery = (search: ActivitySearch) =>
  queryOptions({
    queryKey: ['activity', search],
    queryFn: ({ signal }) =>
      callConsole<ActivityPage>('GET', `/activity${queryString(activityFilters(search))}`, undefined, signal),
    placeholderData: keepPreviousData,
    enabled: !endsBeforeItBegins(search),
  });

/** The filters in the address of the page, as the console names them. */
export function activityFilters({ from, to, whole, ...filters }: ActivitySearch) {
  return {
    ...filters,
    from: startOfDay(from),
    until: startOfDay(to && nextDay(to)),
    whole: whole && 'true',
  };
}

/** An entry never changes, but the names of its clients do. */
export const listedClientsQuery = (environment: Environment, number: number) =>
  queryOptions({
    queryKey: ['activity', 'clients', environment, number],
    queryFn: () => callConsole<ListedClients>('GET', `/${environment}/activity/${number}/clients`),
  });

/** Everybody who is in the log. */
export const actorsQuery = queryOptions({
  queryKey: ['activity', 'actors'],
  queryFn: () => callConsole<ActivityActors>('GET', '/activity/actors'),
});

/** How those are shown by whom the log can be filtered. Keys of the same name are told apart by their ids. */
export function useActorText(): (actor: string) => string {
  const { keys = [] } = useQuery(actorsQuery).data ?? {};
  return (actor) => {
    const name = keys.find((key) => key.key_id === actor)?.name;
    const isOnlyOne = keys.filter((key) => key.name === name).length === 1;
    return name === undefined || isOnlyOne ? actorText(actor, name) : `${actorText(actor, name)} (${actor})`;
  };
}
