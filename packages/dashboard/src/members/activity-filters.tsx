import { Button, Group, Select, TextInput } from '@mantine/core';
import { IconSearch } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { ACTIVITY_SEARCH_MAX_LENGTH } from '#contract/members/activity.ts';
import { DayInput } from '../components/day-input.tsx';
import { focusHeading } from '../components/focus-heading.ts';
import { useSearchOptions } from '../components/use-search-options.ts';
import { useSearchText } from '../components/use-search-text.ts';
import { optionsOf } from '../labels.ts';
import { ACTION_KIND_LABELS } from './activity-labels.ts';
import { actorsQuery, useActorText } from './queries.ts';
import { type ActivitySearch, endsBeforeItBegins, hasActivityFilters } from './search.ts';

interface ActivityFiltersProps {
  search: ActivitySearch;
  onChange(search: ActivitySearch): void;
}

const DAY_WIDTH = { base: 'calc(50% - 6px)', xs: 160 };

/** Every filter is kept in the address. */
export function ActivityFilters({ search, onChange }: ActivityFiltersProps) {
  const set = (filter: Partial<ActivitySearch>) =>
    onChange({ ...search, page: undefined, whole: undefined, ...filter });
  // Fields of days begin anew then: only the browser knows of a day that is half typed.
  const [cleared, setCleared] = useState(0);
  const clear = () => {
    onChange({});
    setCleared(cleared + 1);
    // The button goes with the filters.
    focusHeading();
  };
  return (
    <>
      <Group gap="sm" mb="sm">
        <SearchField value={search.search} onChange={(text) => set({ search: text })} />
        <Select
          aria-label="Kind of activity"
          placeholder="All activity"
          w={{ base: '100%', xs: 190 }}
          data={optionsOf(ACTION_KIND_LABELS)}
          value={search.kind ?? null}
          onChange={(kind) => set({ kind: kind ?? undefined })}
          clearable
        />
        <ActorSelect value={search.member} onChange={(member) => set({ member })} />
      </Group>
      <Group gap="sm" mb="md" align="flex-end">
        <DayInput
          key={`first ${cleared}`}
          label="First day"
          w={DAY_WIDTH}
          value={search.from}
          onChange={(from) => set({ from })}
        />
        <DayInput
          key={`last ${cleared}`}
          label="Last day"
          w={DAY_WIDTH}
          value={search.to}
          onChange={(to) => set({ to })}
          error={endsBeforeItBegins(search)}
        />
        {hasActivityFilters(search) && (
          <Button size="compact-xs" variant="subtle" mb={6} onClick={clear}>
            Clear filters
          </Button>
        )}
      </Group>
    </>
  );
}

interface FilterProps {
  value: string | undefined;
  onChange(value: string | undefined): void;
}

function SearchField({ value, onChange }: FilterProps) {
  const [text, type] = useSearchText(value ?? '', onChange);
  return (
    <TextInput
      aria-label="Search by a client, a member, an ID, a reason or an IP address"
      placeholder="Name, email, ID, reason or IP address"
      leftSection={<IconSearch size={16} stroke={1.7} />}
      flex={1}
      miw={{ base: '100%', sm: 240 }}
      maxLength={ACTIVITY_SEARCH_MAX_LENGTH}
      value={text}
      onChange={(event) => type(event.currentTarget.value)}
    />
  );
}

/** The name in the address may be one of those that are not listed, because there are too many. */
function ActorSelect({ value, onChange }: FilterProps) {
  const actors = useQuery(actorsQuery);
  const names = new Set([...(actors.data?.actors ?? []), ...(value === undefined ? [] : [value])]);
  const actorTextOf = useActorText();
  const options = [...names].map((name) => ({ value: name, label: actorTextOf(name) }));
  return (
    <Select
      aria-label="Member"
      placeholder="All members"
      w={{ base: '100%', xs: 220 }}
      data={options.sort((a, b) => a.label.localeCompare(b.label))}
      value={value ?? null}
      onChange={(name) => onChange(name ?? undefined)}
      clearable
      {...useSearchOptions(options)}
      nothingFoundMessage="Nobody is called that"
    />
  );
}
