import { Button, Group, Stack, Text } from '@mantine/core';
import type { Invited } from '#contract/members/members.ts';
import { CopyBlock } from '../components/copy-block.tsx';

function invitationLink(token: string): string {
  return `${location.origin}/invitation#${token}`;
}

/** Shows the link of an invitation, which is possible only once. */
export function InvitationLink({ invited, onDone }: { invited: Invited; onDone(): void }) {
  return (
    <Stack>
      <Text size="sm">
        {invited.is_mailed
          ? 'The person you are inviting gets a mail with a link. You can also send them this one.'
          : 'Send this link to the person you are inviting.'}{' '}
        It works once, expires after seven days and is not shown again.
      </Text>
      <CopyBlock label="Invitation link" value={invitationLink(invited.token)} hasFocus />
      <Group justify="flex-end">
        <Button onClick={onDone}>Done</Button>
      </Group>
    </Stack>
  );
}
