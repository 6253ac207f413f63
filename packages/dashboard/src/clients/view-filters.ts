import type { CountedGroup } from '#contract/clients/groups.ts';
import type { ViewFilters } from '#contract/clients/views.ts';
import { type ClientsSearch, namedGroup, selectedGroups, statusesOf } from './search.ts';

/**
 * The search as it is saved. Which page is open does not belong to it. Views have the tokens of groups, which stay the same
 * when groups are renamed. As long as the group that a link names is not known, there are none: a view without it would show the
 * clients of all groups.
 */
export function toViewFilters(search: ClientsSearch, allGroups: readonly CountedGroup[]): ViewFilters | undefined {
  if (search.group !== undefined && !namedGroup(search, allGroups)) return undefined;
  const { search: words, type, active, from, until, days, order } = search;
  const [statuses, groups] = [statusesOf(search), selectedGroups(search, allGroups)];
  return {
    ...(words && { search: words }),
    ...(statuses.length > 0 && { statuses }),
    ...(type && { type }),
    ...(active && { active }),
    ...(groups.length > 0 && { groups }),
    ...(from && { from }),
    ...(until && { until }),
    ...(days && { days }),
    ...(order && { order }),
  };
}

export function toSearch({ statuses, groups, order, ...filters }: ViewFilters): ClientsSearch {
  return {
    ...filters,
    status: statuses?.join() || undefined,
    groups: groups?.join() || undefined,
    order: order === 'oldest' ? order : undefined,
  };
}

/** Whatever the order in which the values were chosen. */
export function isSameView(one: ViewFilters, other: ViewFilters): boolean {
  return textOf(one) === textOf(other);
}

function textOf(filters: ViewFilters): string {
  const fields = Object.entries(toSearch(filters)).filter(([, value]) => value !== undefined);
  const sorted = fields.map(([name, value]) => [name, String(value).split(',').sort().join()]);
  return JSON.stringify(sorted.sort());
}
