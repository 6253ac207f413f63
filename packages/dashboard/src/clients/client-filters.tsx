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
import { type ReactNode, useState } from 'react';
import { FILTERED_GROUPS_MAX } from '#contract/clients/clients.ts';
import type { CountedGroup } from '#contract/clients/groups.ts';
import { useSearchText } from '../components/use-search-text.ts';
import { SEARCH_FIELD_ID } from '../components/use-shortcuts.ts';
import { countText } from '../count-text.ts';
import { useEnvironment } from '../environment.ts';
import { CLIENT_STATUS_LABELS, CLIENT_TYPE_LABELS, optionsOf, REQUEST_STATUS_LABELS } from '../labels.ts';
import { AddedFilter } from './added-filter.tsx';
import { filterTexts } from './filter-texts.ts';
import { useGrowingList } from './group-inputs.tsx';
import { groupsQuery } from './queries.ts';
import { type ClientsSearch, hasFilters, selectedGroups, statusesOf, statusParam } from './search.ts';

interface ClientFiltersProps {
  search: ClientsSearch;
  onChange(search: ClientsSearch): void;
  /** What is shown beside the search field. */
  children: ReactNode;
}

/** On a phone, two beside each other. */
const HALF = 'calc(50% - 6px)';

/** Every filter is kept in the address. The active ones are listed below as pills with a remove button. */
export function ClientFilters({ search, onChange, children }: ClientFiltersProps) {
  const { data } = useQuery(groupsQuery(useEnvironment()));
  const groups = data?.groups;
  const [opened, setOpened] = useState(false);
  const set = (filter: Partial<ClientsSearch>) => onChange({ ...search, page: undefined, ...filter });
  return (
    <>
      <Group gap="sm" mb="sm">
        <SearchField value={search.search} onChange={(words) => set({ search: words })} />
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
      <Group gap="sm" mb="sm" display={{ base: opened ? 'flex' : 'none', xs: 'flex' }}>
        <SeveralSelect
          aria-label="Request status"
          placeholder={severalText(statusesOf(search), 'Any request status', ['status', 'statuses'])}
          w={{ base: HALF, xs: 180 }}
          data={optionsOf(REQUEST_STATUS_LABELS)}
          value={statusesOf(search)}
          onChange={(statuses) => set({ status: statusParam(statuses) })}
        />
        <GroupFilter search={search} groups={groups ?? []} onChange={set} />
        <AddedFilter search={search} onChange={set} w={{ base: HALF, xs: 240 }} />
        <Select
          aria-label="Type"
          placeholder="Any type"
          w={{ base: HALF, xs: 125 }}
          data={optionsOf(CLIENT_TYPE_LABELS)}
          value={search.type ?? null}
          onChange={(type) => set({ type: type ?? undefined })}
        />
        <Select
          aria-label="Client status"
          placeholder="Any client status"
          w={{ base: HALF, xs: 160 }}
          data={optionsOf(CLIENT_STATUS_LABELS)}
          value={search.active ?? null}
          onChange={(active) => set({ active: active ?? undefined })}
        />
        <OrderSelect search={search} onChange={set} />
      </Group>
      <ActiveFilters search={search} groups={groups} onRemove={set} onClear={() => onChange({ order: search.order })} />
    </>
  );
}

function SearchField({ value, onChange }: { value: string | undefined; onChange(value: string | undefined): void }) {
  const [text, type] = useSearchText(value ?? '', onChange);
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
      onKeyDown={({ key }) => key === 'Escape' && type('')}
      flex={1}
      miw={150}
      maxLength={200}
      value={text}
      onChange={(event) => type(event.currentTarget.value)}
    />
  );
}

interface PartProps {
  search: ClientsSearch;
  onChange(filter: Partial<ClientsSearch>): void;
}

function OrderSelect({ search, onChange }: PartProps) {
  return (
    <Select
      aria-label="Order"
      w={{ base: HALF, xs: 132 }}
      data={[
        { value: 'newest', label: 'Newest first' },
        { value: 'oldest', label: 'Oldest first' },
      ]}
      value={search.search === undefined ? (search.order ?? 'newest') : 'newest'}
      disabled={search.search !== undefined}
      title={search.search === undefined ? undefined : 'What a search finds is always newest first.'}
      allowDeselect={false}
      onChange={(order) => onChange({ order: order === 'oldest' ? order : undefined })}
    />
  );
}

/** A link names one group; from then on it is one of those that are selected. */
function GroupFilter({ search, groups, onChange }: PartProps & { groups: readonly CountedGroup[] }) {
  const options = groups.map(({ group_token, group_name }) => ({ value: group_token, label: group_name }));
  const selected = selectedGroups(search, groups);
  return (
    <SeveralSelect
      {...useGrowingList(options)}
      aria-label="Group"
      placeholder={severalText(selected, 'Any group', ['group', 'groups'])}
      w={{ base: HALF, xs: 155 }}
      searchable
      nothingFoundMessage="No groups found"
      maxValues={FILTERED_GROUPS_MAX}
      value={selected}
      onChange={(tokens) => onChange({ group: undefined, groups: tokens.join() || undefined })}
    />
  );
}

/** The values are listed below with the other filters, so the field only says how many there are. */
function SeveralSelect(props: MultiSelectProps) {
  const isActive = (props.value?.length ?? 0) > 0;
  return <MultiSelect renderPill={() => null} withAlignedLabels mod={{ active: isActive }} {...props} />;
}

function severalText(values: readonly string[], none: string, noun: [one: string, many: string]): string {
  return values.length === 0 ? none : countText(values.length, ...noun);
}

interface ActiveFiltersProps {
  search: ClientsSearch;
  groups: readonly CountedGroup[] | undefined;
  onRemove(filter: Partial<ClientsSearch>): void;
  onClear(): void;
}

/** Their line is there also without any, so that the first one does not move the list. */
function ActiveFilters({ search, groups, onRemove, onClear }: ActiveFiltersProps) {
  if (!hasFilters(search)) {
    return (
      <Text size="sm" c="dimmed" lh="28px" mb="sm">
        No filters
      </Text>
    );
  }
  return (
    <Group gap={8} mb="sm" mih={28}>
      {filterTexts(search, groups).map(({ text, without }) => (
        <Pill
          key={JSON.stringify([text, without])}
          size="md"
          withRemoveButton
          onRemove={() => onRemove(without)}
          removeButtonProps={{ 'aria-label': `Remove ${text}`, 'aria-hidden': false, tabIndex: 0 }}
        >
          {text}
        </Pill>
      ))}
      <Button size="compact-xs" variant="subtle" onClick={onClear}>
        Clear filters
      </Button>
    </Group>
  );
}
