import { Box, Button, Checkbox, Group, Menu, Stack, Table, Text, Title } from '@mantine/core';
import { IconPlus } from '@tabler/icons-react';
import { useQuery, useSuspenseQuery } from '@tanstack/react-query';
import { useState } from 'react';
import type { InvitationRecord, MemberRecord } from '#contract/members/members.ts';
import { ConfirmDialog } from '../components/confirm-dialog.tsx';
import { PageHeader } from '../components/page-header.tsx';
import { QueryContent } from '../components/query-content.tsx';
import { Time } from '../components/time.tsx';
import { optionsOf, ROLE_LABELS } from '../labels.ts';
import { notifyOnError } from '../notify-on-error.ts';
import { sessionQuery, useCanEdit } from '../session.ts';
import { useSendChange } from '../use-send-change.ts';
import { AccountSection } from './account-section.tsx';
import { InviteDialog } from './invite-dialog.tsx';
import { membersQuery } from './queries.ts';

export function MembersPage() {
  const members = useQuery(membersQuery);
  const canEdit = useCanEdit();
  const [inviting, setInviting] = useState(false);
  return (
    <>
      <PageHeader
        title="Members"
        description="Owners and admins can make changes; viewers can only look. Members have access to both environments."
        actions={
          canEdit && (
            <Button leftSection={<IconPlus size={16} />} onClick={() => setInviting(true)}>
              Invite member
            </Button>
          )
        }
      />
      <QueryContent query={members} lines={3}>
        {({ members, invitations }) => (
          <Stack gap="xl">
            <MemberTable members={members} canEdit={canEdit} />
            {invitations.length > 0 && <InvitationList invitations={invitations} canEdit={canEdit} />}
            <AccountSection />
          </Stack>
        )}
      </QueryContent>
      {inviting && <InviteDialog onClose={() => setInviting(false)} />}
    </>
  );
}

function MemberTable({ members, canEdit }: { members: MemberRecord[]; canEdit: boolean }) {
  const { data: session } = useSuspenseQuery(sessionQuery);
  const [removing, setRemoving] = useState<MemberRecord>();
  const [revokingKeys, setRevokingKeys] = useState(false);
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
                      canMakeOwner={session.role === 'owner'}
                      onChangeRole={(role) =>
                        notifyOnError(sendChange('PATCH', `/members/${member.member_id}`, { role }))
                      }
                      onRemove={() => {
                        setRevokingKeys(false);
                        setRemoving(member);
                      }}
                    />
                  )}
                </Table.Td>
              </Table.Tr>
            ))}
          </Table.Tbody>
        </Table>
      </Table.ScrollContainer>
      {removing && (
        <ConfirmDialog
          title="Remove this member?"
          action="Remove member"
          onClose={() => setRemoving(undefined)}
          onConfirm={() =>
            sendChange('DELETE', `/members/${removing.member_id}?keys=${revokingKeys ? 'revoke' : 'keep'}`)
          }
        >
          <p>
            <b>{removing.email}</b> is signed out everywhere at once, and the invitations they created are withdrawn.
          </p>
          <Checkbox
            label="Also revoke the API keys they created in both environments"
            description="Programs that use these API keys stop working at once."
            checked={revokingKeys}
            onChange={(event) => setRevokingKeys(event.currentTarget.checked)}
          />
        </ConfirmDialog>
      )}
    </Box>
  );
}

interface MemberMenuProps {
  member: MemberRecord;
  canMakeOwner: boolean;
  onChangeRole(role: string): void;
  onRemove(): void;
}

function MemberMenu({ member, canMakeOwner, onChangeRole, onRemove }: MemberMenuProps) {
  const roles = optionsOf(ROLE_LABELS).filter(
    ({ value }) => value !== member.role && (value !== 'owner' || canMakeOwner),
  );
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
        <Menu.Divider />
        <Menu.Item c="var(--mantine-color-error)" onClick={onRemove}>
          Remove member…
        </Menu.Item>
      </Menu.Dropdown>
    </Menu>
  );
}

function InvitationList({ invitations, canEdit }: { invitations: InvitationRecord[]; canEdit: boolean }) {
  const { data: session } = useSuspenseQuery(sessionQuery);
  const sendChange = useSendChange();
  return (
    <Box>
      <Title order={2} size="h4" mb="sm">
        Open invitations
      </Title>
      <Stack gap={0} className="surface">
        {invitations.map((invitation) => (
          <Group key={invitation.invitation_id} justify="space-between" px="md" py="sm">
            <Box>
              <Text size="sm">
                {invitation.email} as {ROLE_LABELS[invitation.role]}
              </Text>
              <Text size="xs" c="dimmed">
                Invited by {invitation.created_by}. The link expires on <Time value={invitation.expires_at} />.
              </Text>
            </Box>
            {canEdit && (invitation.role !== 'owner' || session.role === 'owner') && (
              <Button
                size="compact-sm"
                variant="default"
                aria-label={`Withdraw the invitation for ${invitation.email}`}
                onClick={() => notifyOnError(sendChange('DELETE', `/invitations/${invitation.invitation_id}`))}
              >
                Withdraw
              </Button>
            )}
          </Group>
        ))}
      </Stack>
    </Box>
  );
}
