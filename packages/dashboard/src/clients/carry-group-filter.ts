import type { CountedGroup } from '#contract/clients/groups.ts';
import { type ClientsSearch, groupsOf } from './search.ts';

type Group = Pick<CountedGroup, 'group_token' | 'group_name'>;

/** The search in the other environment, and what could not be kept of it. */
interface CarriedSearch {
  search: ClientsSearch;
  /** The names of the groups that the other environment does not have. */
  missing: string[];
}

/**
 * Groups belong to one environment. A filter by groups becomes one by those of the same names in the other environment;
 * all other filters mean the same there.
 */
export function carryGroupFilter(
  search: ClientsSearch,
  ours: readonly Group[],
  theirs: readonly Group[],
): CarriedSearch {
  const { group: named, ...rest } = search;
  const names = groupsOf(search).map((token) => ours.find(({ group_token }) => group_token === token)?.group_name);
  const wanted = [...new Set([named, ...names].filter((name) => name !== undefined))];
  const found = new Map(
    wanted.flatMap((name) => {
      const same = theirs.find(({ group_name }) => group_name.toLowerCase() === name.toLowerCase());
      return same ? [[name, same.group_token]] : [];
    }),
  );
  return {
    search: { ...rest, groups: [...found.values()].join() || undefined },
    missing: wanted.filter((name) => !found.has(name)),
  };
}

/** Such as `Production has no group “North”, so this filter was left out.` */
export function missingGroupsText(environment: string, missing: readonly string[]): string {
  const names = new Intl.ListFormat('en', { type: 'disjunction' }).format(missing.map((name) => `“${name}”`));
  return missing.length === 1
    ? `${environment} has no group ${names}, so this filter was left out.`
    : `${environment} has no groups ${names}, so these filters were left out.`;
}
