import { Box, Button, Menu, Table, Text } from '@mantine/core';
import { useSuspenseQuery } from '@tanstack/react-query';
import { useState } from 'react';
import type { MemberRecord } from '#contract/members/members.ts';
import { Time } from '../components/time.tsx';
import { optionsOf, ROLE_LABELS } from '../labels.ts';
import { notifyOnError } from '../notify-on-error.ts';
import { sessionQuery } from '../session.ts';
import { useSendChange } from '../use-send-change.ts';
import { BrowsersDialog, MakeOwnerDialog, RemoveDialog } from './member-dialogs.tsx';

/** What opens a dialog about a member. */
type MemberAction = 'remove' | 'make owner' | 'show browsers';

export function MemberTable({ members, canEdit }: { members: MemberRecord[]; canEdit: boolean }) {
  const { data: session } = useSuspenseQuery(sessionQuery);
  const [chosen, setChosen] = useState<{ member: MemberRecord; action: MemberAction }>();
  const close = () => setChosen(undefined);
  const sendChange = useSendChange();
  const canManage = (member: MemberRecord) =>
    canEdit && member.email !== session.email && (member.role !== 'owner' || session.role === 'owner');
  return (
    <Box className="surface">
      <Table.ScrollContainer minWidth={300} type="native">
        <Table verticalSpacing="sm" horizontalSpacing="md" className="stacked-table">
          <Table.Thead>
            <Table.Tr>
              <Table.Th>Email</Table.Th>
              <Table.Th>Role</Table.Th>
              <Table.Th>Second factor</Table.Th>
              <Table.Th>Joined</Table.Th>
              <Table.Th aria-label="Actions" />
            </Table.Tr>
          </Table.Thead>
          <Table.Tbody>
            {members.map((member) => (
              <Table.Tr key={member.member_id}>
                <Table.Td className="wide">
                  {member.email}
                  {member.email === session.email && (
                    <Text span size="sm" c="dimmed">
                      {' '}
                      (you)
                    </Text>
                  )}
                </Table.Td>
                <Table.Td data-label="Role">{ROLE_LABELS[member.role]}</Table.Td>
                <Table.Td data-label="Second factor">{member.has_second_factor ? 'On' : 'Off'}</Table.Td>
                <Table.Td data-label="Joined">
                  <Time value={member.created_at} as="date" />
                </Table.Td>
                <Table.Td className="right actions">
                  {canManage(member) && (
                    <MemberMenu
                      member={member}
                      byOwner={session.role === 'owner'}
                      onChangeRole={(role) =>
                        notifyOnError(sendChange('PATCH', `/members/${member.member_id}`, { role }))
                      }
                      onAction={(action) => setChosen({ member, action })}
                    />
                  )}
                </Table.Td>
              </Table.Tr>
            ))}
          </Table.Tbody>
        </Table>
      </Table.ScrollContainer>
      {chosen?.action === 'remove' && <RemoveDialog member={chosen.member} onClose={close} />}
      {chosen?.action === 'make owner' && <MakeOwnerDialog member={chosen.member} onClose={close} />}
      {chosen?.action === 'show browsers' && <BrowsersDialog member={chosen.member} onClose={close} />}
    </Box>
  );
}

interface MemberMenuProps {
  member: MemberRecord;
  byOwner: boolean;
  onChangeRole(role: string): void;
  onAction(action: MemberAction): void;
}

function MemberMenu({ member, byOwner, onChangeRole, onAction }: MemberMenuProps) {
  const roles = optionsOf(ROLE_LABELS).filter(({ value }) => value !== member.role && value !== 'owner');
  return (
    <Menu position="bottom-end">
      <Menu.Target>
        <Button size="compact-sm" variant="default" aria-label={`Manage ${member.email}`}>
          Manage
        </Button>
      </Menu.Target>
      <Menu.Dropdown>
        {roles.map(({ value, label }) => (
          <Menu.Item key={value} onClick={() => onChangeRole(value)}>
            Change role to {label}
          </Menu.Item>
        ))}
        {byOwner && member.role !== 'owner' && (
          <Menu.Item onClick={() => onAction('make owner')}>Change role to {ROLE_LABELS.owner}…</Menu.Item>
        )}
        {byOwner && <Menu.Item onClick={() => onAction('show browsers')}>Where they are signed in…</Menu.Item>}
        <Menu.Divider />
        <Menu.Item c="var(--mantine-color-error)" onClick={() => onAction('remove')}>
          Remove member…
        </Menu.Item>
      </Menu.Dropdown>
    </Menu>
  );
}
