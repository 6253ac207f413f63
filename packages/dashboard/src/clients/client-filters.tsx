import { Button, Group, Pill, Select, TextInput } from '@mantine/core';
import { useDebouncedCallback } from '@mantine/hooks';
import { IconSearch } from '@tabler/icons-react';
import { useEffect, useState } from 'react';
import { SEARCH_FIELD_ID } from '../components/use-shortcuts.ts';
import { type ClientsSearch, hasFilters } from '../search.ts';
import { GroupSelect } from './group-field.tsx';
import { capitalised, STATUSES, TYPES } from './statuses.ts';

const TYPING_MS = 250;

interface ClientFiltersProps {
  search: ClientsSearch;
  onChange(search: ClientsSearch): void;
}

/** Every filter is in the address; those that are set stand below as chips that can be taken away. */
export function ClientFilters({ search, onChange }: ClientFiltersProps) {
  const set = (filter: Partial<ClientsSearch>) => onChange({ ...search, page: undefined, ...filter });
  return (
    <>
      <Group gap="sm" mb="sm">
        <SearchField value={search.search} onChange={(fragment) => set({ search: fragment })} />
        <Select
          aria-label="Status"
          placeholder="Any status"
          w={{ base: 'calc(50% - 6px)', xs: 150 }}
          data={STATUSES.map((value) => ({ value, label: capitalised(value) }))}
          value={search.status ?? null}
          onChange={(status) => set({ status: status ?? undefined })}
        />
        <Select
          aria-label="Type"
          placeholder="Any type"
          w={{ base: 'calc(50% - 6px)', xs: 140 }}
          data={TYPES.map((value) => ({ value, label: capitalised(value) }))}
          value={search.type ?? null}
          onChange={(type) => set({ type: type ?? undefined })}
        />
        <GroupSelect
          aria-label="Group"
          placeholder="Any group"
          w={{ base: '100%', xs: 190 }}
          value={search.group ?? null}
          onChange={(group) => set({ group: group ?? undefined })}
        />
      </Group>
      {hasFilters(search) && <Chips search={search} onRemove={set} onClear={() => onChange({})} />}
    </>
  );
}

function SearchField({ value, onChange }: { value: string | undefined; onChange(value: string | undefined): void }) {
  const [text, setText] = useState(value ?? '');
  useEffect(() => setText(value ?? ''), [value]);
  const search = useDebouncedCallback((typed: string) => onChange(typed.trim() || undefined), TYPING_MS);
  return (
    <TextInput
      id={SEARCH_FIELD_ID}
      aria-label="Search by email or name"
      placeholder="Email or name"
      leftSection={<IconSearch size={16} stroke={1.7} />}
      rightSection={text === '' && <kbd>/</kbd>}
      rightSectionPointerEvents="none"
      flex={1}
      miw={{ base: '100%', xs: 200 }}
      maxLength={200}
      value={text}
      onChange={(event) => {
        setText(event.currentTarget.value);
        search(event.currentTarget.value);
      }}
    />
  );
}

interface ChipsProps {
  search: ClientsSearch;
  onRemove(filter: Partial<ClientsSearch>): void;
  onClear(): void;
}

function Chips({ search, onRemove, onClear }: ChipsProps) {
  const { search: fragment, status, type, group, from, until } = search;
  const chips: [label: string, without: Partial<ClientsSearch>][] = [];
  if (fragment) chips.push([`“${fragment}”`, { search: undefined }]);
  if (status) chips.push([`Status: ${status}`, { status: undefined }]);
  if (type) chips.push([`Type: ${type}`, { type: undefined }]);
  if (group) chips.push([`Group: ${group}`, { group: undefined }]);
  if (from || until)
    chips.push([`Added ${[from, until].filter(Boolean).join(' until ')}`, { from: undefined, until: undefined }]);
  return (
    <Group gap={8} mb="md">
      {chips.map(([label, without]) => (
        <Pill
          key={label}
          size="md"
          withRemoveButton
          onRemove={() => onRemove(without)}
          removeButtonProps={{ 'aria-label': `Remove ${label}`, 'aria-hidden': false, tabIndex: 0 }}
        >
          {label}
        </Pill>
      ))}
      <Button size="compact-xs" variant="subtle" onClick={onClear}>
        Clear all
      </Button>
    </Group>
  );
}
