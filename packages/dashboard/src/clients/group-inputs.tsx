import { Autocomplete, type AutocompleteProps, type ScrollAreaProps, Select, type SelectProps } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { type UIEvent, useMemo, useState } from 'react';
import { useEnvironment } from '../environment.ts';
import { groupsQuery } from './queries.ts';

/** How many options are rendered at a time, because thousands would take seconds. */
const BATCH_SIZE = 100;

/** More options are rendered when the list is scrolled to within this many pixels of its end. */
const SCROLL_MARGIN = 200;

/** A text field for the name of a group, new or existing, with suggestions. */
export function GroupNameInput(props: AutocompleteProps) {
  return <Autocomplete {...useGroupOptions()} {...props} />;
}

/** A select for one of the existing groups, which can be searched by name. */
export function GroupSelect(props: Omit<SelectProps<string>, 'data'>) {
  return <Select {...useGroupOptions()} nothingFoundMessage="No groups found" searchable {...props} />;
}

interface OtherGroupSelectProps extends Omit<SelectProps<string>, 'data'> {
  /** The token of the group that cannot be selected. */
  except: string;
}

/** The same for the token of a group, without one of them. */
export function OtherGroupSelect({ except, ...props }: OtherGroupSelectProps) {
  const { data } = useQuery(groupsQuery(useEnvironment()));
  const options = useMemo(() => {
    const others = data?.groups.filter((group) => group.group_token !== except) ?? [];
    return others.map(({ group_token, group_name }) => ({ value: group_token, label: group_name }));
  }, [data, except]);
  return <Select {...useGrowingList(options)} nothingFoundMessage="No groups found" searchable {...props} />;
}

/** The names of all groups. */
function useGroupOptions() {
  const { data } = useQuery(groupsQuery(useEnvironment()));
  return useGrowingList(useMemo(() => data?.groups.map(({ group_name }) => group_name) ?? [], [data]));
}

/** More of the options are rendered as the list is scrolled. */
export function useGrowingList<Option>(options: Option[]) {
  const [limit, setLimit] = useState(BATCH_SIZE);
  const onScroll = ({ currentTarget }: UIEvent<HTMLDivElement>) => {
    const { scrollTop, scrollHeight, clientHeight } = currentTarget;
    if (scrollHeight - clientHeight - scrollTop < SCROLL_MARGIN && limit < options.length) setLimit(limit + BATCH_SIZE);
  };
  const scrollAreaProps: ScrollAreaProps = { viewportProps: { onScroll } };
  return { data: options, limit, scrollAreaProps, onDropdownClose: () => setLimit(BATCH_SIZE) };
}
