import { Button, Stack } from '@mantine/core';
import { IconPlus } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { PageHeader } from '../components/page-header.tsx';
import { QueryContent } from '../components/query-content.tsx';
import { useCanEdit } from '../session.ts';
import { AccountSection } from './account-section.tsx';
import { InvitationList } from './invitation-list.tsx';
import { InviteDialog } from './invite-dialog.tsx';
import { MemberTable } from './member-table.tsx';
import { membersQuery } from './queries.ts';

const REFETCH_MS = 10_000;

export function MembersPage() {
  // An invitation is accepted elsewhere, whether this page is in sight or not.
  const members = useQuery({ ...membersQuery, refetchInterval: REFETCH_MS, refetchOnWindowFocus: 'always' });
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
