import { Box, Button, Checkbox, Group, Menu, Stack, Table, Text, Title } from '@mantine/core';
import { IconPlus } from '@tabler/icons-react';
import { useQuery, useSuspenseQuery } from '@tanstack/react-query';
import { useState } from 'react';
import type { InvitationRecord, MemberRecord } from '#contract/members/members.ts';
import { ConfirmDialog } from '../components/confirm-dialog.tsx';
import { Loaded } from '../components/loaded.tsx';
import { PageHeader } from '../components/page-header.tsx';
import { Time } from '../components/time.tsx';
import { useMayChange } from '../permissions.ts';
import { membersQuery, sessionQuery } from '../queries.ts';
import { report } from '../report.ts';
import { useChange } from '../use-change.ts';
import { InviteDialog } from './invite-dialog.tsx';

const ROLES = ['owner', 'admin', 'viewer'] as const;

export function MembersPage() {
  const members = useQuery(membersQuery);
  const mayChange = useMayChange();
  const [inviting, setInviting] = useState(false);
  return (
    <>
      <PageHeader
        title="Members"
        description="Owners and admins may change things; viewers look. The same people in both environments."
        actions={
          mayChange && (
            <Button leftSection={<IconPlus size={16} />} onClick={() => setInviting(true)}>
              Invite member
            </Button>
          )
        }
      />
      <Loaded query={members} lines={3}>
        {({ members, invitations }) => (
          <Stack gap="xl">
            <MemberTable members={members} mayChange={mayChange} />
            {invitations.length > 0 && <InvitationTable invitations={invitations} mayChange={mayChange} />}
          </Stack>
        )}
      </Loaded>
      {inviting && <InviteDialog onClose={() => setInviting(false)} />}
    </>
  );
}

function MemberTable({ members, mayChange }: { members: MemberRecord[]; mayChange: boolean }) {
  const { data: session } = useSuspenseQuery(sessionQuery);
  const [removing, setRemoving] = useState<MemberRecord>();
  const [revokingKeys, setRevokingKeys] = useState(false);
  const change = useChange();
  const changeable = (member: MemberRecord) =>
    mayChange && member.email !== session.email && (member.role !== 'owner' || session.role === 'owner');
  return (
    <Box className="surface">
      <Table.ScrollContainer minWidth={560} type="native">
        <Table verticalSpacing="sm" horizontalSpacing="md">
          <Table.Thead>
            <Table.Tr>
              <Table.Th>Email</Table.Th>
              <Table.Th>Role</Table.Th>
              <Table.Th>Second factor</Table.Th>
              <Table.Th>Since</Table.Th>
              <Table.Th aria-label="Actions" />
            </Table.Tr>
          </Table.Thead>
          <Table.Tbody>
            {members.map((member) => (
              <Table.Tr key={member.member_id}>
                <Table.Td>
                  {member.email}
                  {member.email === session.email && (
                    <Text span size="sm" c="dimmed">
                      {' '}
                      (you)
                    </Text>
                  )}
                </Table.Td>
                <Table.Td>{member.role}</Table.Td>
                <Table.Td>{member.has_second_factor ? 'on' : 'off'}</Table.Td>
                <Table.Td>
                  <Time value={member.created_at} as="date" />
                </Table.Td>
                <Table.Td ta="right">
                  {changeable(member) && (
                    <MemberMenu
                      member={member}
                      mayMakeOwner={session.role === 'owner'}
                      onRole={(role) => report(change('PATCH', `/members/${member.member_id}`, { role }))}
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
          onConfirm={() => change('DELETE', `/members/${removing.member_id}?keys=${revokingKeys ? 'revoke' : 'keep'}`)}
        >
          <p>
            <b>{removing.email}</b> is signed out everywhere at once, and the invitations that they made end.
          </p>
          <Checkbox
            label="Also revoke the API keys that they created, in both environments"
            description="Programs that use these keys stop working at once."
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
  mayMakeOwner: boolean;
  onRole(role: string): void;
  onRemove(): void;
}

function MemberMenu({ member, mayMakeOwner, onRole, onRemove }: MemberMenuProps) {
  const roles = ROLES.filter((role) => role !== member.role && (role !== 'owner' || mayMakeOwner));
  return (
    <Menu position="bottom-end">
      <Menu.Target>
        <Button size="compact-sm" variant="default" aria-label={`Change ${member.email}`}>
          Change
        </Button>
      </Menu.Target>
      <Menu.Dropdown>
        {roles.map((role) => (
          <Menu.Item key={role} onClick={() => onRole(role)}>
            Make {role}
          </Menu.Item>
        ))}
        <Menu.Divider />
        <Menu.Item c="var(--mantine-color-error)" onClick={onRemove}>
          Remove…
        </Menu.Item>
      </Menu.Dropdown>
    </Menu>
  );
}

function InvitationTable({ invitations, mayChange }: { invitations: InvitationRecord[]; mayChange: boolean }) {
  const { data: session } = useSuspenseQuery(sessionQuery);
  const change = useChange();
  return (
    <Box>
      <Title order={2} size="h4" mb="sm">
        Invited
      </Title>
      <Stack gap={0} className="surface">
        {invitations.map((invitation) => (
          <Group key={invitation.invitation_id} justify="space-between" px="md" py="sm">
            <Box>
              <Text size="sm">
                {invitation.email} as {invitation.role}
              </Text>
              <Text size="xs" c="dimmed">
                by {invitation.created_by}; the link works until <Time value={invitation.expires_at} />
              </Text>
            </Box>
            {mayChange && (invitation.role !== 'owner' || session.role === 'owner') && (
              <Button
                size="compact-sm"
                variant="default"
                aria-label={`Withdraw the invitation of ${invitation.email}`}
                onClick={() => report(change('DELETE', `/invitations/${invitation.invitation_id}`))}
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
