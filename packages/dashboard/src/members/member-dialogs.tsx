import { Checkbox, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import type { MemberRecord } from '#contract/members/members.ts';
import { ConfirmDialog } from '../components/confirm-dialog.tsx';
import { Dialog } from '../components/dialog.tsx';
import { QueryContent } from '../components/query-content.tsx';
import { useSendChange } from '../use-send-change.ts';
import { BrowserList } from './browser-list.tsx';
import { memberBrowsersQuery } from './queries.ts';

interface MemberDialogProps {
  member: MemberRecord;
  onClose(): void;
}

export function RemoveDialog({ member, onClose }: MemberDialogProps) {
  const sendChange = useSendChange();
  const [revokingKeys, setRevokingKeys] = useState(false);
  const path = `/members/${member.member_id}?keys=${revokingKeys ? 'revoke' : 'keep'}`;
  return (
    <ConfirmDialog
      title="Remove this member?"
      action="Remove member"
      onClose={onClose}
      onConfirm={() => sendChange('DELETE', path)}
    >
      <p>
        <b>{member.email}</b> is signed out everywhere at once, the invitations they created are withdrawn, and clients
        that are assigned to them are assigned to nobody.
      </p>
      <Checkbox
        label="Also revoke the API keys they created in both environments"
        description="Programs that use these API keys stop working at once."
        checked={revokingKeys}
        onChange={(event) => setRevokingKeys(event.currentTarget.checked)}
      />
    </ConfirmDialog>
  );
}

export function MakeOwnerDialog({ member, onClose }: MemberDialogProps) {
  const sendChange = useSendChange();
  return (
    <ConfirmDialog
      title="Make this member an owner?"
      action="Make owner"
      onClose={onClose}
      onConfirm={() => sendChange('PATCH', `/members/${member.member_id}`, { role: 'owner' })}
    >
      <b>{member.email}</b> will be able to do everything that you can do, including removing you and other owners.
    </ConfirmDialog>
  );
}

export function BrowsersDialog({ member, onClose }: MemberDialogProps) {
  const browsers = useQuery(memberBrowsersQuery(member.member_id));
  return (
    <Dialog onClose={onClose} title={`Where ${member.email} is signed in`}>
      <QueryContent query={browsers} lines={2}>
        {({ sessions }) =>
          sessions.length === 0 ? (
            <Text size="sm">Nowhere.</Text>
          ) : (
            <BrowserList browsers={sessions} path={`/members/${member.member_id}/sessions`} />
          )
        }
      </QueryContent>
    </Dialog>
  );
}
