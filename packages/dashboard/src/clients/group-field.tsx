import { Autocomplete, type AutocompleteProps, type ScrollAreaProps, Select, type SelectProps } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { type UIEvent, useMemo, useState } from 'react';
import { useEnvironment } from '../environment.ts';
import { groupsQuery } from '../queries.ts';

/** As many as are rendered at first, and again whenever the end of them comes into sight: thousands would take seconds. */
const STEP = 100;

/** How far from the end, in pixels, more are added. */
const NEAR_END = 200;

/** The name of a group, with those that exist on offer. */
export function GroupField(props: AutocompleteProps) {
  return <Autocomplete {...useGroupOptions()} {...props} />;
}

/** One of the groups there are, found by scrolling or by typing a part of its name. */
export function GroupSelect(props: Omit<SelectProps<string>, 'data'>) {
  return <Select {...useGroupOptions()} nothingFoundMessage="No such group" searchable {...props} />;
}

/** All groups, of which only the first are rendered until the reader gets near the last of those. */
function useGroupOptions() {
  const { data } = useQuery(groupsQuery(useEnvironment()));
  const names = useMemo(() => data?.groups.map(({ group_name }) => group_name) ?? [], [data]);
  const [limit, setLimit] = useState(STEP);
  const onScroll = ({ currentTarget }: UIEvent<HTMLDivElement>) => {
    const { scrollTop, scrollHeight, clientHeight } = currentTarget;
    if (scrollHeight - clientHeight - scrollTop < NEAR_END && limit < names.length) setLimit(limit + STEP);
  };
  const scrollAreaProps: ScrollAreaProps = { viewportProps: { onScroll } };
  return { data: names, limit, scrollAreaProps, onDropdownClose: () => setLimit(STEP) };
}
