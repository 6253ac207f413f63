import { ActionIcon, Anchor, Box, Button, CopyButton, Group, Menu, Table, Text, TextInput } from '@mantine/core';
import { IconCheck, IconCopy, IconPlus, IconSearch } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { getRouteApi, Link } from '@tanstack/react-router';
import { useState } from 'react';
import type { CountedGroup } from '#contract/clients/groups.ts';
import { ConfirmDialog } from '../components/confirm-dialog.tsx';
import { EmptyState } from '../components/empty-state.tsx';
import { PageHeader } from '../components/page-header.tsx';
import { Pager } from '../components/pager.tsx';
import { QueryContent } from '../components/query-content.tsx';
import { useSearchText } from '../components/use-search-text.ts';
import { useEnvironment } from '../environment.ts';
import { useCanEdit } from '../session.ts';
import { useSendChange } from '../use-send-change.ts';
import { GroupDialog } from './group-dialog.tsx';
import { MergeGroupDialog } from './merge-group-dialog.tsx';
import { groupsQuery } from './queries.ts';
import { StatusDistribution, StatusLegend } from './status-distribution.tsx';

/** Rendering thousands of rows at once would take seconds. */
const PAGE_SIZE = 25;

const route = getRouteApi('/$environment/groups');

/** What a member wants to do with a group. */
interface GroupAction {
  action: 'rename' | 'merge' | 'delete';
  group: CountedGroup;
}

export function GroupsPage() {
  const groups = useQuery(groupsQuery(useEnvironment()));
  const canEdit = useCanEdit();
  const [open, setOpen] = useState<{ action: 'create' } | GroupAction>();
  const create = canEdit && (
    <Button leftSection={<IconPlus size={16} />} onClick={() => setOpen({ action: 'create' })}>
      Create group
    </Button>
  );
  return (
    <>
      <PageHeader
        title="Groups"
        description="Every client belongs to one group. A group keeps its token when it is renamed."
        actions={create}
      />
      <QueryContent query={groups}>
        {({ groups }) =>
          groups.length === 0 ? (
            <EmptyState title="No groups yet" action={create}>
              Create your first group here. An import creates the groups that it needs.
            </EmptyState>
          ) : (
            <GroupList groups={groups} onAction={canEdit ? setOpen : undefined} />
          )
        }
      </QueryContent>
      {open && <OpenDialog {...open} onClose={() => setOpen(undefined)} />}
    </>
  );
}

function OpenDialog({ onClose, ...open }: ({ action: 'create' } | GroupAction) & { onClose(): void }) {
  if (open.action === 'create') return <GroupDialog group={undefined} onClose={onClose} />;
  if (open.action === 'rename') return <GroupDialog group={open.group} onClose={onClose} />;
  if (open.action === 'merge') return <MergeGroupDialog group={open.group} onClose={onClose} />;
  return <DeleteGroupDialog group={open.group} onClose={onClose} />;
}

function DeleteGroupDialog({ group, onClose }: { group: CountedGroup; onClose(): void }) {
  const environment = useEnvironment();
  const sendChange = useSendChange();
  return (
    <ConfirmDialog
      title="Delete this group?"
      action="Delete group"
      onClose={onClose}
      onConfirm={() => sendChange('DELETE', `/${environment}/groups/${group.group_token}`)}
    >
      <b>{group.group_name}</b> has no clients. Its token cannot be used any more.
    </ConfirmDialog>
  );
}

interface GroupTableProps {
  groups: CountedGroup[];
  onAction: ((wanted: GroupAction) => void) | undefined;
}

/** All groups have been loaded, so searching and turning pages need no request. */
function GroupList({ groups, onAction }: GroupTableProps) {
  const { page = 1, search = '' } = route.useSearch();
  const navigate = route.useNavigate();
  const [text, type] = useSearchText(search, (typed) => navigate({ search: { search: typed }, replace: true }));
  const query = text.trim().toLowerCase();
  const found = groups.filter(({ group_name }) => group_name.toLowerCase().includes(query));
  const pages = Math.ceil(found.length / PAGE_SIZE);
  const shown = Math.min(page, Math.max(pages, 1));
  return (
    <>
      {(groups.length > PAGE_SIZE || search !== '') && (
        <TextInput
          aria-label="Search groups by name"
          placeholder="Group name"
          leftSection={<IconSearch size={16} stroke={1.7} />}
          mb="md"
          maw={320}
          value={text}
          onChange={(event) => type(event.currentTarget.value)}
        />
      )}
      {found.length === 0 ? (
        <EmptyState title="No groups found">No group has this text in its name.</EmptyState>
      ) : (
        <>
          <GroupTable groups={found.slice((shown - 1) * PAGE_SIZE, shown * PAGE_SIZE)} onAction={onAction} />
          <StatusLegend />
        </>
      )}
      <Pager
        page={shown}
        pages={pages}
        total={found.length}
        noun={['group', 'groups']}
        onPage={(next) => navigate({ search: { search: text.trim() || undefined, page: next > 1 ? next : undefined } })}
      />
    </>
  );
}

function GroupTable({ groups, onAction }: GroupTableProps) {
  return (
    <Box className="surface">
      <Table.ScrollContainer minWidth={300} type="native">
        <Table verticalSpacing="sm" horizontalSpacing="md" className="stacked-table">
          <Table.Thead>
            <Table.Tr>
              <Table.Th>Group</Table.Th>
              <Table.Th className="right">Clients</Table.Th>
              <Table.Th w="34%">By request status</Table.Th>
              <Table.Th>Group token</Table.Th>
              <Table.Th aria-label="Actions" />
            </Table.Tr>
          </Table.Thead>
          <Table.Tbody>
            {groups.map((group) => (
              <GroupRow key={group.group_token} group={group} onAction={onAction} />
            ))}
          </Table.Tbody>
        </Table>
      </Table.ScrollContainer>
    </Box>
  );
}

function GroupRow({ group, onAction }: { group: CountedGroup; onAction: GroupTableProps['onAction'] }) {
  const environment = useEnvironment();
  return (
    <Table.Tr>
      <Table.Td maw={260} className="wide">
        <Anchor
          size="sm"
          c="inherit"
          underline="hover"
          fw={500}
          renderRoot={(props) => (
            <Link to="/$environment/clients" params={{ environment }} search={{ group: group.group_name }} {...props} />
          )}
        >
          {group.group_name}
        </Anchor>
      </Table.Td>
      <Table.Td className="numeric right" data-label="Clients">
        {group.clients.toLocaleString()}
      </Table.Td>
      <Table.Td className="wide" data-label="By request status">
        <StatusDistribution counts={group.by_status} group={group.group_name} />
      </Table.Td>
      <Table.Td data-label="Group token">
        <Group gap={4} wrap="nowrap">
          <Text span className="secret">
            {group.group_token.slice(0, 8)}…
          </Text>
          <CopyButton value={group.group_token}>
            {({ copied, copy }) => (
              <ActionIcon
                variant="subtle"
                color="gray"
                c="dimmed"
                size="sm"
                onClick={copy}
                title={copied ? 'Copied' : 'Copy token'}
                aria-label={`Copy token of ${group.group_name}`}
              >
                {copied ? <IconCheck size={14} /> : <IconCopy size={14} />}
              </ActionIcon>
            )}
          </CopyButton>
        </Group>
      </Table.Td>
      <Table.Td className="right actions">{onAction && <GroupMenu group={group} onAction={onAction} />}</Table.Td>
    </Table.Tr>
  );
}

function GroupMenu({ group, onAction }: { group: CountedGroup; onAction(wanted: GroupAction): void }) {
  return (
    <Menu position="bottom-end">
      <Menu.Target>
        <Button size="compact-sm" variant="default" aria-label={`Manage ${group.group_name}`}>
          Manage
        </Button>
      </Menu.Target>
      <Menu.Dropdown>
        <Menu.Item onClick={() => onAction({ action: 'rename', group })}>Rename…</Menu.Item>
        <Menu.Item onClick={() => onAction({ action: 'merge', group })}>Merge into…</Menu.Item>
        {group.clients === 0 && (
          <>
            <Menu.Divider />
            <Menu.Item c="var(--mantine-color-error)" onClick={() => onAction({ action: 'delete', group })}>
              Delete group…
            </Menu.Item>
          </>
        )}
      </Menu.Dropdown>
    </Menu>
  );
}
