import { Button, Group, Pill, Select, TextInput } from '@mantine/core';
import { IconSearch } from '@tabler/icons-react';
import { useSearchText } from '../components/use-search-text.ts';
import { SEARCH_FIELD_ID } from '../components/use-shortcuts.ts';
import { CLIENT_STATUS_LABELS, CLIENT_TYPE_LABELS, labelOf, optionsOf, REQUEST_STATUS_LABELS } from '../labels.ts';
import { GroupSelect } from './group-inputs.tsx';
import { type ClientsSearch, hasFilters } from './search.ts';

interface ClientFiltersProps {
  search: ClientsSearch;
  onChange(search: ClientsSearch): void;
}

/** Every filter is kept in the address. The active ones are listed below as pills with a remove button. */
export function ClientFilters({ search, onChange }: ClientFiltersProps) {
  const set = (filter: Partial<ClientsSearch>) => onChange({ ...search, page: undefined, ...filter });
  return (
    <>
      <Group gap="sm" mb="sm">
        <SearchField value={search.search} onChange={(words) => set({ search: words })} />
        <Select
          aria-label="Type"
          placeholder="Any type"
          w={{ base: 'calc(50% - 6px)', xs: 125 }}
          data={optionsOf(CLIENT_TYPE_LABELS)}
          value={search.type ?? null}
          onChange={(type) => set({ type: type ?? undefined })}
        />
        <Select
          aria-label="Client status"
          placeholder="Any client status"
          w={{ base: 'calc(50% - 6px)', xs: 175 }}
          data={optionsOf(CLIENT_STATUS_LABELS)}
          value={search.active ?? null}
          onChange={(active) => set({ active: active ?? undefined })}
        />
        <GroupSelect
          aria-label="Group"
          placeholder="Any group"
          w={{ base: '100%', xs: 165 }}
          value={search.group ?? null}
          onChange={(group) => set({ group: group ?? undefined })}
        />
        <Select
          aria-label="Order"
          w={{ base: '100%', xs: 140 }}
          data={[
            { value: 'newest', label: 'Newest first' },
            { value: 'oldest', label: 'Oldest first' },
          ]}
          value={search.search === undefined ? (search.order ?? 'newest') : 'newest'}
          // What a search finds is always newest first.
          disabled={search.search !== undefined}
          allowDeselect={false}
          onChange={(order) => set({ order: order === 'oldest' ? order : undefined })}
        />
      </Group>
      {hasFilters(search) && (
        <ActiveFilters search={search} onRemove={set} onClear={() => onChange({ order: search.order })} />
      )}
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
      rightSection={text === '' && <kbd>/</kbd>}
      rightSectionPointerEvents="none"
      flex={1}
      miw={{ base: '100%', lg: 240 }}
      maxLength={200}
      value={text}
      onChange={(event) => type(event.currentTarget.value)}
    />
  );
}

interface ActiveFiltersProps {
  search: ClientsSearch;
  onRemove(filter: Partial<ClientsSearch>): void;
  onClear(): void;
}

function ActiveFilters({ search, onRemove, onClear }: ActiveFiltersProps) {
  const { search: words, status, type, active, group, from, until } = search;
  const pills: [label: string, without: Partial<ClientsSearch>][] = [];
  if (words) pills.push([`“${words}”`, { search: undefined }]);
  if (status) pills.push([`Request status: ${labelOf(REQUEST_STATUS_LABELS, status)}`, { status: undefined }]);
  if (type) pills.push([`Type: ${labelOf(CLIENT_TYPE_LABELS, type)}`, { type: undefined }]);
  if (active) pills.push([`Client status: ${labelOf(CLIENT_STATUS_LABELS, active)}`, { active: undefined }]);
  if (group) pills.push([`Group: ${group}`, { group: undefined }]);
  if (from || until) pills.push([addedText(from, until), { from: undefined, until: undefined }]);
  return (
    <Group gap={8} mb="md">
      {pills.map(([label, without]) => (
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
        Clear filters
      </Button>
    </Group>
  );
}

/** The day `until` itself is not included. */
function addedText(from: string | undefined, until: string | undefined): string {
  const last = until === undefined ? undefined : dayBefore(until);
  if (from === last) return `Added on ${from}`;
  if (last === undefined) return `Added since ${from}`;
  return from === undefined ? `Added until ${last}` : `Added from ${from} to ${last}`;
}

function dayBefore(day: string): string {
  return new Date(Date.parse(day) - 86_400_000).toISOString().slice(0, 'YYYY-MM-DD'.length);
}
