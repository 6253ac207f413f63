import { Box, Button, Group, Stack, Text } from '@mantine/core';
import { useState } from 'react';
import type { KeyDetails, SecretRecord } from '#contract/credentials/keys.ts';
import { ConfirmDialog } from '../components/confirm-dialog.tsx';
import { Time } from '../components/time.tsx';
import { useEnvironment } from '../environment.ts';
import { useSendChange } from '../use-send-change.ts';
import { secretText } from './key-history.ts';
import { isUsable } from './key-state.ts';
import { keyPath } from './queries.ts';

/** The secrets of a key, newest first. Only their beginnings and ends are known. */
export function KeySecrets({ record, canEdit }: { record: KeyDetails; canEdit: boolean }) {
  const [ending, setEnding] = useState<SecretRecord>();
  const usable = isUsable(record.state);
  return (
    <Stack gap="md" component="ul" className="plain-list">
      {record.secrets.map((secret) => (
        <Group key={secret.number} component="li" justify="space-between" wrap="nowrap">
          <Box miw={0}>
            <span className="secret">{secret.preview}</span>
            <Text size="xs" c="dimmed">
              <SecretState record={record} secret={secret} />
            </Text>
          </Box>
          {canEdit && usable && secret.ends_at !== null && secret.works && (
            <Button
              size="compact-sm"
              variant="default"
              flex="none"
              aria-label={`End the old secret ${secret.preview} now`}
              onClick={() => setEnding(secret)}
            >
              End now…
            </Button>
          )}
        </Group>
      ))}
      {ending && <EndSecretDialog keyId={record.key_id} secret={ending} onClose={() => setEnding(undefined)} />}
    </Stack>
  );
}

function SecretState({ record, secret }: { record: KeyDetails; secret: SecretRecord }) {
  const [words, time] = secretText(record, secret);
  return (
    <>
      {words} {time && <Time value={time} />}
    </>
  );
}

interface EndSecretDialogProps {
  keyId: string;
  secret: SecretRecord;
  onClose(): void;
}

function EndSecretDialog({ keyId, secret, onClose }: EndSecretDialogProps) {
  const environment = useEnvironment();
  const sendChange = useSendChange();
  return (
    <ConfirmDialog
      title="End the old secret now?"
      action="End old secret"
      onClose={onClose}
      onConfirm={() => sendChange('DELETE', `${keyPath(environment, keyId)}/secrets/${secret.number}`)}
    >
      The old secret <span className="secret">{secret.preview}</span> and every access token created with it stop
      working within a second. Programs that have the current secret are not affected. This cannot be undone.
    </ConfirmDialog>
  );
}
