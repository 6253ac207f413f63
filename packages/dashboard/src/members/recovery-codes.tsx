import { Button, Group, Stack, Text } from '@mantine/core';
import { IconDownload } from '@tabler/icons-react';
import { useSuspenseQuery } from '@tanstack/react-query';
import { useState } from 'react';
import type { RecoveryCodes } from '#contract/members/profile.ts';
import { ConfirmDialog } from '../components/confirm-dialog.tsx';
import { CopyBlock } from '../components/copy-block.tsx';
import { Dialog } from '../components/dialog.tsx';
import { sessionQuery } from '../session.ts';
import { useSendChange } from '../use-send-change.ts';

/** Shows new recovery codes, which is possible only once, so a stray click or key press must not close it. */
export function RecoveryCodesDialog({ codes, onClose }: { codes: string[]; onClose(): void }) {
  const text = codes.join('\n');
  const { data: session } = useSuspenseQuery(sessionQuery);
  const file = `Recovery codes of ${session.email} at ${session.account_name} on Rollcall\n\n${text}\n`;
  return (
    <Dialog onClose={onClose} title="Your recovery codes" isShownOnce withCloseButton={false}>
      <Stack>
        <Text size="sm">
          If you lose your second factor, each of these codes lets you sign in once. Keep them where you keep passwords:
          Rollcall does not store them in a readable form, so <b>they cannot be shown again</b>.
        </Text>
        <CopyBlock label="Recovery codes" value={text} hasFocus />
        <Group justify="space-between" className="dialog-end">
          <Button
            component="a"
            variant="default"
            href={`data:text/plain,${encodeURIComponent(file)}`}
            download="rollcall-recovery-codes.txt"
            leftSection={<IconDownload size={16} />}
          >
            Download
          </Button>
          <Button onClick={onClose}>I have stored them</Button>
        </Group>
      </Stack>
    </Dialog>
  );
}

export function RenewCodesButton({ onCodes }: { onCodes(codes: string[]): void }) {
  const sendChange = useSendChange({ refetch: 'later' });
  const [asking, setAsking] = useState(false);
  const renew = async () => {
    const { recovery_codes: codes } = await sendChange<RecoveryCodes>('POST', '/profile/recovery-codes');
    onCodes(codes);
  };
  return (
    <>
      <Button variant="default" onClick={() => setAsking(true)}>
        Make new recovery codes…
      </Button>
      {asking && (
        <ConfirmDialog
          title="Make new recovery codes?"
          action="Make new codes"
          onClose={() => setAsking(false)}
          onConfirm={renew}
        >
          The codes that you have now stop working.
        </ConfirmDialog>
      )}
    </>
  );
}
