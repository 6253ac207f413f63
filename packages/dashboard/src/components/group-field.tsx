import { Autocomplete, type AutocompleteProps } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useEnvironment } from '../environment.ts';
import { groupsQuery } from '../queries.ts';

/** The name of a group, with those that exist on offer. */
export function GroupField(props: AutocompleteProps) {
  const { data } = useQuery(groupsQuery(useEnvironment()));
  return <Autocomplete data={data?.groups.map(({ group_name }) => group_name) ?? []} limit={50} {...props} />;
}
