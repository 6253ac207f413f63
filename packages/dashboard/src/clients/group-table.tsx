import { ActionIcon, Anchor, Box, Button, CopyButton, Group, Menu, Table, Text } from '@mantine/core';
import { IconCheck, IconCopy } from '@tabler/icons-react';
import { Link } from '@tanstack/react-router';
import type { CountedGroup } from '#contract/clients/groups.ts';
import { useEnvironment } from '../environment.ts';
import { StatusDistribution } from './status-distribution.tsx';

/** What a member wants to do with a group. */
export interface GroupAction {
  action: 'rename' | 'merge' | 'delete';
  group: CountedGroup;
}

export interface GroupTableProps {
  groups: CountedGroup[];
  onAction: ((wanted: GroupAction) => void) | undefined;
}

export function GroupTable({ groups, onAction }: GroupTableProps) {
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
