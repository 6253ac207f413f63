import { Autocomplete, type AutocompleteProps, type ScrollAreaProps, Select, type SelectProps } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { type UIEvent, useMemo, useState } from 'react';
import type { CountedGroup } from '#contract/clients/groups.ts';
import { filterOptions, useSearchOptions } from '../components/use-search-options.ts';
import { useEnvironment } from '../environment.ts';
import { groupsQuery } from './queries.ts';

/** How many options are rendered at a time, because thousands would take seconds. */
const BATCH_SIZE = 100;

/** More options are rendered when the list is scrolled to within this many pixels of its end. */
const SCROLL_MARGIN = 200;

interface GroupNameInputProps extends AutocompleteProps {
  /** Whether only the name of a group that exists is accepted. Then `Enter` takes the first suggestion; else, what was typed may be meant. */
  mustExist?: boolean;
}

/** A text field for the name of a group, with suggestions. */
export function GroupNameInput({ mustExist = false, description, ...props }: GroupNameInputProps) {
  const options = useGroupOptions();
  const typed = props.value ?? '';
  const isUnknown = typed.trim() !== '' && options.data.length > 0 && !options.data.includes(typed);
  const isNew = isUnknown && !options.data.some((name) => name.toLowerCase() === typed.trim().toLowerCase());
  return (
    <Autocomplete
      {...options}
      filter={filterOptions}
      selectFirstOptionOnChange={mustExist && isUnknown}
      // A typing error would make a group.
      description={isNew && !mustExist ? `There is no group “${typed.trim()}” yet. It will be created.` : description}
      {...props}
    />
  );
}

const GROUP_SELECT = {
  nothingFoundMessage: 'No groups found',
  // Without it, a list that typing opens would forget a moment later that its first option is selected.
  selectFirstOptionOnDropdownOpen: true,
} as const;

/** A select for one of the existing groups, which can be searched by name. */
export function GroupSelect(props: Omit<SelectProps<string>, 'data'>) {
  const options = useGroupOptions();
  return <Select {...options} {...useSearchOptions(options.data)} {...GROUP_SELECT} {...props} />;
}

interface GroupTokenSelectProps extends Omit<SelectProps<string>, 'data' | 'value' | 'onChange'> {
  groups: readonly CountedGroup[];
  /** The token of the group, or nothing. */
  value: string;
  onChange(token: string): void;
}

/** The same for the token of one of these groups. What was chosen before does not count any more when another name is typed. */
export function GroupTokenSelect({ groups, onChange, ...props }: GroupTokenSelectProps) {
  const options = useMemo(
    () => groups.map(({ group_token, group_name }) => ({ value: group_token, label: group_name })),
    [groups],
  );
  return (
    <Select
      {...useGrowingList(options)}
      {...useSearchOptions(options)}
      {...GROUP_SELECT}
      allowDeselect={false}
      onInput={() => onChange('')}
      onChange={(token) => onChange(token ?? '')}
      {...props}
    />
  );
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
