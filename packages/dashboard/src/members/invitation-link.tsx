import { Button, Group, Stack, Text } from '@mantine/core';
import { CopyBlock } from '../components/copy-block.tsx';

export function invitationLink(token: string): string {
  return `${location.origin}/invitation#${token}`;
}

/** Shows the link of an invitation, which is possible only once. */
export function InvitationLink({ link, onDone }: { link: string; onDone(): void }) {
  return (
    <Stack>
      <Text size="sm">
        Send this link to the person you are inviting. It works once, expires after seven days and is not shown again.
      </Text>
      <CopyBlock label="Invitation link" value={link} />
      <Group justify="flex-end">
        <Button onClick={onDone}>Done</Button>
      </Group>
    </Stack>
  );
}
