import { Button, Group, Stack, Text } from '@mantine/core';
import type { Role } from '#contract/members/index.ts';
import type { Invited } from '#contract/members/members.ts';
import { CopyBlock } from '../components/copy-block.tsx';
import { Notice } from '../components/notice.tsx';
import { ROLE_LABELS } from '../labels.ts';
import { isThisMachine } from './this-machine.ts';

function invitationLink(token: string): string {
  return `${location.origin}/invitation#${token}`;
}

interface InvitationLinkProps {
  invited: Invited;
  /** Who is invited. */
  guest: { email: string; role: Role };
  onDone(): void;
}

/** Shows the link of an invitation, which is possible only once. */
export function InvitationLink({ invited, guest, onDone }: InvitationLinkProps) {
  const whom = (
    <>
      <b>{guest.email}</b>, who is invited as {ROLE_LABELS[guest.role]}
    </>
  );
  return (
    <Stack>
      <Text size="sm">
        {invited.is_mailed ? (
          <>A mail with a link is on its way to {whom}. You can also send them this one.</>
        ) : (
          <>Send this link to {whom}.</>
        )}{' '}
        It works once, expires after seven days and is not shown again.
      </Text>
      <CopyBlock label="Invitation link" value={invitationLink(invited.token)} hasFocus />
      {isThisMachine(location.hostname) && (
        <Notice tone="warning">
          This link works only on this machine. Set ROLLCALL_DASHBOARD_URL to the address that others use.
        </Notice>
      )}
      <Group justify="flex-end">
        <Button onClick={onDone}>Done</Button>
      </Group>
    </Stack>
  );
}
