import { SegmentedControl } from '@mantine/core';
import { notifications } from '@mantine/notifications';
import { useQueryClient } from '@tanstack/react-query';
import { useMatches, useNavigate, useRouter, useSearch } from '@tanstack/react-router';
import type { Environment } from '#contract/environments.ts';
import { ApiError } from '../api.ts';
import {
  type ClientsSearch,
  carryGroupFilter,
  groupsQuery,
  missingGroupsText,
  parseClientsSearch,
} from '../clients/index.ts';
import { useEnvironment } from '../environment.ts';
import { ENVIRONMENT_LABELS, optionsOf } from '../labels.ts';
import { PAGES } from './navigation.ts';

/** The message that a filter was left out. */
const LEFT_OUT = 'filter-left-out';

const SWITCHED = PAGES.map(({ to }) => to);

/** Opens the same page in the other environment with the filters that have a meaning there, or the list to which the page's client or API key belongs. */
export function useSwitchEnvironment(): (environment: Environment) => Promise<void> {
  const navigate = useNavigate();
  const router = useRouter();
  const carryFilters = useCarryFilters();
  const current = useMatches({ select: (matches) => matches.at(-1)?.fullPath });
  const to = SWITCHED.find((page) => `${current}/`.startsWith(`${page}/`)) ?? '/$environment/clients';
  // Pages of a list are counted anew: the other one may be shorter.
  const keep = current === to ? (search: object) => ({ ...search, page: undefined }) : {};
  return async (environment) => {
    if (current !== '/$environment/clients') return navigate({ to, params: { environment }, search: keep });
    const { search, leftOut } = await carryFilters(environment);
    await navigate({ to: '/$environment/clients', params: { environment }, search });
    if (leftOut === undefined) return;
    notifications.show({ id: LEFT_OUT, message: leftOut });
    const stop = router.subscribe('onBeforeNavigate', ({ toLocation }) => {
      if (toLocation.pathname === `/${environment}/clients`) return;
      // On another page, and in the former environment, it says nothing any more.
      notifications.hide(LEFT_OUT);
      stop();
    });
  };
}

interface CarriedFilters {
  search: ClientsSearch;
  /** Says what is left out, if anything. */
  leftOut?: string;
}

/** Returns the function that finds the filters of the list of clients for another environment. */
function useCarryFilters(): (environment: Environment) => Promise<CarriedFilters> {
  const from = useEnvironment();
  const queries = useQueryClient();
  const search = { ...parseClientsSearch(useSearch({ strict: false })), page: undefined };
  return async (environment) => {
    if (search.group === undefined && search.groups === undefined) return { search };
    try {
      const groups = [from, environment].map((each) => queries.fetchQuery({ ...groupsQuery(each), staleTime: 0 }));
      const [ours, theirs] = await Promise.all(groups);
      const carried = carryGroupFilter(search, ours?.groups ?? [], theirs?.groups ?? []);
      if (carried.missing.length === 0) return { search: carried.search };
      return { search: carried.search, leftOut: missingGroupsText(ENVIRONMENT_LABELS[environment], carried.missing) };
    } catch (error) {
      if (!(error instanceof ApiError)) throw error;
      const leftOut = `The filter by group was left out. ${error.message}`;
      return { search: { ...search, group: undefined, groups: undefined }, leftOut };
    }
  };
}

export function EnvironmentSwitch() {
  const environment = useEnvironment();
  const switchTo = useSwitchEnvironment();
  return (
    <SegmentedControl
      aria-label="Environment"
      fullWidth
      size="sm"
      color={environment === 'sandbox' ? 'yellow.2' : 'ink'}
      autoContrast
      value={environment}
      onChange={(value) => switchTo(value as Environment)}
      data={optionsOf(ENVIRONMENT_LABELS)}
    />
  );
}
