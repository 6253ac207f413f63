import { Group, Select, TextInput } from '@mantine/core';
import { IconSearch } from '@tabler/icons-react';
import { getRouteApi } from '@tanstack/react-router';
import { useMemo } from 'react';
import type { CountedGroup } from '#contract/clients/groups.ts';
import { partMatcherOf } from '../components/best-matches.ts';
import { EmptyState } from '../components/empty-state.tsx';
import { Pager } from '../components/pager.tsx';
import { useSearchText } from '../components/use-search-text.ts';
import { optionsOf } from '../labels.ts';
import { GroupTable, type GroupTableProps } from './group-table.tsx';
import { GROUP_ORDER_LABELS, type GroupOrder, type GroupsSearch } from './search.ts';
import { StatusLegend } from './status-distribution.tsx';

/** Rendering thousands of rows at once would take seconds. */
const PAGE_SIZE = 25;

const ORDERS = [{ value: 'name', label: 'By name' }, ...optionsOf(GROUP_ORDER_LABELS)];

const route = getRouteApi('/$environment/groups');

/** All groups have been loaded, by name, so searching, sorting and turning pages need no request. */
export function GroupList({ groups, onAction }: GroupTableProps) {
  const { page = 1, search = '', order } = route.useSearch();
  const navigate = route.useNavigate();
  const show = (wanted: GroupsSearch, replace = false) => navigate({ search: wanted, replace });
  const [text, type] = useSearchText(search, (typed) => show({ search: typed, order }, true));
  const sorted = useMemo(() => inOrder(groups, order), [groups, order]);
  const typed = text.trim();
  const found = useMemo(() => {
    const matchOf = partMatcherOf(typed);
    return typed === '' ? sorted : sorted.filter(({ group_name: label }) => matchOf({ label }) > 0);
  }, [sorted, typed]);
  const pages = Math.ceil(found.length / PAGE_SIZE);
  const shown = Math.min(page, Math.max(pages, 1));
  return (
    <>
      <Group gap="sm" mb="sm">
        <TextInput
          aria-label="Search groups by name"
          placeholder="Group name"
          leftSection={<IconSearch size={16} stroke={1.7} />}
          w={{ base: '100%', xs: 320 }}
          value={text}
          onChange={(event) => type(event.currentTarget.value)}
        />
        <Select
          aria-label="Order"
          w={{ base: '100%', xs: 190 }}
          data={ORDERS}
          value={order ?? 'name'}
          allowDeselect={false}
          onChange={(value) =>
            show({ search: typed || undefined, order: value === 'name' ? undefined : (value as GroupOrder) })
          }
        />
      </Group>
      {found.length === 0 ? (
        <EmptyState title="No groups found">No group has this text in its name.</EmptyState>
      ) : (
        <>
          <StatusLegend />
          <GroupTable groups={found.slice((shown - 1) * PAGE_SIZE, shown * PAGE_SIZE)} onAction={onAction} />
        </>
      )}
      <Pager
        page={shown}
        pages={pages}
        total={found.length}
        noun={['group', 'groups']}
        onPage={(next) => show({ search: typed || undefined, order, page: next > 1 ? next : undefined })}
      />
    </>
  );
}

/** Groups that are equal in this order stay by name. */
function inOrder(groups: CountedGroup[], order: GroupOrder | undefined): CountedGroup[] {
  if (order === 'clients') return groups.toSorted((a, b) => b.clients - a.clients);
  // Times of this form are in the order of their text.
  if (order === 'newest')
    return groups.toSorted((a, b) => (a.created_at < b.created_at ? 1 : a.created_at > b.created_at ? -1 : 0));
  return groups;
}
