import {
  Button,
  CloseButton,
  Group,
  MultiSelect,
  type MultiSelectProps,
  Pill,
  Select,
  Text,
  TextInput,
} from '@mantine/core';
import { IconSearch } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { getRouteApi } from '@tanstack/react-router';
import { type KeyboardEvent, memo, type ReactNode, useCallback, useRef, useState } from 'react';
import { FILTERED_GROUPS_MAX } from '#contract/clients/clients.ts';
import type { CountedGroup } from '#contract/clients/groups.ts';
import { focusHeading } from '../components/focus-heading.ts';
import { useSearchOptions } from '../components/use-search-options.ts';
import { useSearchText } from '../components/use-search-text.ts';
import { SEARCH_FIELD_ID } from '../components/use-shortcuts.ts';
import { useEnvironment } from '../environment.ts';
import { CLIENT_STATUS_LABELS, CLIENT_TYPE_LABELS, optionsOf, REQUEST_STATUS_LABELS } from '../labels.ts';
import { AddedFilter } from './added-filter.tsx';
import { filterTexts } from './filter-texts.ts';
import { useGrowingList } from './group-inputs.tsx';
import { groupsQuery } from './queries.ts';
import { type ClientsSearch, hasFilters, selectedGroups, statusesOf, statusParam } from './search.ts';

const route = getRouteApi('/$environment/clients');

interface ClientFiltersProps {
  search: ClientsSearch;
  /** Takes the text whose first result should get the focus, or nothing when another one is typed. */
  onLeaveSearch(text: string | undefined): void;
  /** What is shown beside the search field. */
  children: ReactNode;
}

/** On a phone, two beside each other. The other widths are such that all filters fit on one line of a screen that is 1280 pixels wide. */
const HALF = 'calc(50% - 4px)';

const NO_GROUPS: readonly CountedGroup[] = [];

/**
 * Every filter is kept in the address. The active ones are listed below as pills with a remove button. Each field is rendered only
 * when its own filter changes: all of them together take longer than the list needs to arrive.
 */
export function ClientFilters({ search, onLeaveSearch, children }: ClientFiltersProps) {
  const { data } = useQuery(groupsQuery(useEnvironment()));
  const groups = data?.groups;
  const [opened, setOpened] = useState(false);
  const navigate = route.useNavigate();
  const set = useCallback(
    (filter: Partial<ClientsSearch>) => void navigate({ search: (now) => ({ ...now, page: undefined, ...filter }) }),
    [navigate],
  );
  return (
    <>
      <Group gap="sm" mb="sm">
        <SearchField value={search.search} onChange={set} onLeave={onLeaveSearch} />
        {children}
      </Group>
      {/* On a phone, they would fill the screen. */}
      <Button
        hiddenFrom="xs"
        variant="default"
        size="xs"
        mb="sm"
        aria-expanded={opened}
        onClick={() => setOpened(!opened)}
      >
        {opened ? 'Hide filters' : 'Filters and order'}
      </Button>
      <Group gap={8} mb="sm" display={{ base: opened ? 'flex' : 'none', xs: 'flex' }}>
        <StatusFilter status={search.status} onChange={set} />
        <GroupFilter name={search.group} tokens={search.groups} groups={groups ?? NO_GROUPS} onChange={set} />
        <AddedFilter from={search.from} until={search.until} days={search.days} onChange={set} w={ADDED_WIDTH} />
        <TypeFilter type={search.type} onChange={set} />
        <ActiveFilter active={search.active} onChange={set} />
        <OrderSelect order={search.order} isSearch={search.search !== undefined} onChange={set} />
      </Group>
      <ActiveFilters
        search={search}
        groups={groups}
        onRemove={set}
        onClear={() => navigate({ search: ({ order, size }) => ({ order, size }) })}
      />
    </>
  );
}

interface FilterProps {
  onChange(filter: Partial<ClientsSearch>): void;
}

interface SearchFieldProps extends FilterProps {
  value: string | undefined;
  onLeave: ClientFiltersProps['onLeaveSearch'];
}

const SearchField = memo(function SearchField({ value, onChange, onLeave }: SearchFieldProps) {
  const [text, type] = useSearchText(value ?? '', (search) => onChange({ search }));
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.nativeEvent.isComposing) return;
    if (event.key === 'ArrowDown' || event.key === 'Enter') {
      event.preventDefault();
      onLeave(text.trim());
    } else if (event.key === 'Escape') {
      if (text === '') focusHeading();
      else type('');
    }
  };
  return (
    <TextInput
      id={SEARCH_FIELD_ID}
      aria-label="Search by words of the name, email or IDs"
      placeholder="Name, email or ID"
      leftSection={<IconSearch size={16} stroke={1.7} />}
      rightSection={
        text === '' ? (
          <kbd className="key-hint">/</kbd>
        ) : (
          <CloseButton size="sm" aria-label="Clear the search" onClick={() => type('')} />
        )
      }
      rightSectionPointerEvents={text === '' ? 'none' : 'all'}
      onKeyDown={onKeyDown}
      flex={1}
      miw={150}
      maxLength={200}
      value={text}
      onChange={(event) => {
        onLeave(undefined);
        type(event.currentTarget.value);
      }}
    />
  );
});

const StatusFilter = memo(function StatusFilter({ status, onChange }: FilterProps & Pick<ClientsSearch, 'status'>) {
  const statuses = statusesOf({ status });
  return (
    <SeveralSelect
      aria-label="Request status"
      placeholder={severalText(
        statuses.map((each) => REQUEST_STATUS_LABELS[each]),
        'Any request status',
        'statuses',
      )}
      w={{ base: HALF, xs: 178 }}
      data={optionsOf(REQUEST_STATUS_LABELS)}
      value={statuses}
      onChange={(chosen) => onChange({ status: statusParam(chosen) })}
    />
  );
});

interface GroupFilterProps extends FilterProps {
  name: ClientsSearch['group'];
  tokens: ClientsSearch['groups'];
  groups: readonly CountedGroup[];
}

/** Wider than the field, because names of groups are long. */
const GROUP_LIST = { width: 280, position: 'bottom-start' } as const;

/** A link names one group; from then on it is one of those that are selected. */
const GroupFilter = memo(function GroupFilter({ name, tokens, groups, onChange }: GroupFilterProps) {
  const options = groups.map(({ group_token, group_name }) => ({ value: group_token, label: group_name }));
  const selected = selectedGroups({ group: name, groups: tokens }, groups);
  return (
    <SeveralSelect
      {...useGrowingList(options)}
      aria-label="Group"
      placeholder={severalText(
        selected.map((token) => groups.find((each) => each.group_token === token)?.group_name ?? '1 group'),
        'Any group',
        'groups',
      )}
      w={{ base: HALF, xs: 125, xl: 180 }}
      {...useSearchOptions(options)}
      comboboxProps={GROUP_LIST}
      maxDropdownHeight={320}
      nothingFoundMessage="No groups found"
      maxValues={FILTERED_GROUPS_MAX}
      value={selected}
      onChange={(chosen) => onChange({ group: undefined, groups: chosen.join() || undefined })}
    />
  );
});

const ADDED_WIDTH = { base: HALF, xs: 205, xl: 240 };

const TypeFilter = memo(function TypeFilter({ type, onChange }: FilterProps & Pick<ClientsSearch, 'type'>) {
  return (
    <Select
      aria-label="Type"
      placeholder="Any type"
      w={{ base: HALF, xs: 112 }}
      data={optionsOf(CLIENT_TYPE_LABELS)}
      value={type ?? null}
      onChange={(chosen) => onChange({ type: chosen ?? undefined })}
    />
  );
});

const ActiveFilter = memo(function ActiveFilter({ active, onChange }: FilterProps & Pick<ClientsSearch, 'active'>) {
  return (
    <Select
      aria-label="Client status"
      placeholder="Any client status"
      w={{ base: HALF, xs: 160 }}
      data={optionsOf(CLIENT_STATUS_LABELS)}
      value={active ?? null}
      onChange={(chosen) => onChange({ active: chosen ?? undefined })}
    />
  );
});

interface OrderSelectProps extends FilterProps, Pick<ClientsSearch, 'order'> {
  /** What a search finds is always newest first. */
  isSearch: boolean;
}

const OrderSelect = memo(function OrderSelect({ order, isSearch, onChange }: OrderSelectProps) {
  return (
    <Select
      aria-label="Order"
      w={{ base: HALF, xs: 130 }}
      data={[
        { value: 'newest', label: 'Newest first' },
        { value: 'oldest', label: 'Oldest first' },
      ]}
      value={isSearch ? 'newest' : (order ?? 'newest')}
      disabled={isSearch}
      title={isSearch ? 'What a search finds is always newest first.' : undefined}
      allowDeselect={false}
      onChange={(chosen) => onChange({ order: chosen === 'oldest' ? chosen : undefined })}
    />
  );
});

/** The values are listed below with the other filters, so of several the field only says how many there are. */
function SeveralSelect(props: MultiSelectProps) {
  const isActive = (props.value?.length ?? 0) > 0;
  return <MultiSelect renderPill={() => null} withAlignedLabels mod={{ active: isActive }} {...props} />;
}

function severalText(names: readonly string[], none: string, noun: string): string {
  const [only = none] = names;
  return names.length > 1 ? `${names.length} ${noun}` : only;
}

interface ActiveFiltersProps {
  search: ClientsSearch;
  groups: readonly CountedGroup[] | undefined;
  onRemove(filter: Partial<ClientsSearch>): void;
  onClear(): void;
}

/**
 * Their line is there also without any, so that the first one does not move the list. It gets the focus when one is removed, whose
 * button goes with it.
 */
function ActiveFilters({ search, groups, onRemove, onClear }: ActiveFiltersProps) {
  const line = useRef<HTMLDivElement>(null);
  const remove = (change: () => void) => {
    change();
    line.current?.focus();
  };
  const isFiltered = hasFilters(search);
  return (
    <Group ref={line} role="group" aria-label="Filters in use" tabIndex={-1} gap={8} mb="sm" mih={28}>
      {!isFiltered && (
        <Text size="sm" c="dimmed">
          No filters
        </Text>
      )}
      {filterTexts(search, groups).map(({ text, without }) => (
        <Pill
          key={JSON.stringify([text, without])}
          size="md"
          withRemoveButton
          onRemove={() => remove(() => onRemove(without))}
          removeButtonProps={{ 'aria-label': `Remove ${text}`, 'aria-hidden': false, tabIndex: 0 }}
        >
          {text}
        </Pill>
      ))}
      {isFiltered && (
        <Button size="compact-xs" variant="subtle" onClick={() => remove(onClear)}>
          Clear filters
        </Button>
      )}
    </Group>
  );
}
