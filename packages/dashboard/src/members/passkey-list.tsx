import { Box, Button, Group, PasswordInput, Stack, Text, TextInput, Title } from '@mantine/core';
import { useState } from 'react';
import { type PasskeyOffer, type PasskeyRecord, RemovePasskeyForm } from '#contract/members/passkeys.ts';
import type { RecoveryCodes } from '#contract/members/profile.ts';
import { Dialog } from '../components/dialog.tsx';
import { FormProblem } from '../components/form-problem.tsx';
import { Time } from '../components/time.tsx';
import { makePasskey, passkeyProblem } from '../passkeys.ts';
import { useCheckedForm } from '../use-checked-form.ts';
import { useSendChange } from '../use-send-change.ts';

interface PasskeyListProps {
  passkeys: PasskeyRecord[];
  /** Whether the only passkey is also the only second factor. */
  isLast: boolean;
  onCodes(codes: string[]): void;
}

export function PasskeyList({ passkeys, isLast, onCodes }: PasskeyListProps) {
  const [adding, setAdding] = useState(false);
  const [removed, setRemoved] = useState<PasskeyRecord>();
  return (
    <Stack align="flex-start" gap="xs">
      <Title order={3} size="h5">
        Passkeys
      </Title>
      <Text size="sm">
        A passkey is kept by your device or password manager and opened with your finger, face or PIN. You can sign in
        with it alone.
      </Text>
      {passkeys.map((passkey) => (
        <Group key={passkey.passkey_id} justify="space-between" w="100%" maw={460}>
          <Box>
            <Text size="sm">{passkey.name}</Text>
            <Text size="xs" c="dimmed">
              Added <Time value={passkey.created_at} />
              {passkey.used_at && (
                <>
                  , last used <Time value={passkey.used_at} />
                </>
              )}
            </Text>
          </Box>
          <Button
            size="compact-sm"
            variant="default"
            aria-label={`Remove the passkey ${passkey.name}`}
            onClick={() => setRemoved(passkey)}
          >
            Remove…
          </Button>
        </Group>
      ))}
      <Button variant="default" onClick={() => setAdding(true)}>
        Add passkey
      </Button>
      {adding && <AddPasskeyDialog onCodes={onCodes} onClose={() => setAdding(false)} />}
      {removed && <RemovePasskeyDialog passkey={removed} isLast={isLast} onClose={() => setRemoved(undefined)} />}
    </Stack>
  );
}

function AddPasskeyDialog({ onCodes, onClose }: { onCodes(codes: string[]): void; onClose(): void }) {
  const sendChange = useSendChange({ refetch: 'later' });
  const [name, setName] = useState('');
  const [problem, setProblem] = useState<string>();
  const [adding, setAdding] = useState(false);
  const add = async () => {
    setAdding(true);
    setProblem(undefined);
    try {
      const offer = await sendChange<PasskeyOffer>('POST', '/profile/passkeys/offer');
      const form = { name, passkey: await makePasskey(offer) };
      const { recovery_codes: codes } = await sendChange<RecoveryCodes>('POST', '/profile/passkeys', form);
      onCodes(codes);
      return onClose();
    } catch (error) {
      setProblem(passkeyProblem(error));
    }
    setAdding(false);
  };
  return (
    <Dialog onClose={onClose} title="Add a passkey" closeOnClickOutside={false}>
      <form
        onSubmit={(event) => {
          event.preventDefault();
          void add();
        }}
      >
        <Stack>
          <Text size="sm">Your other browsers will be signed out.</Text>
          <FormProblem message={problem} />
          <TextInput
            label="Name"
            description="Such as the device or the password manager that keeps it."
            value={name}
            maxLength={100}
            onChange={(event) => setName(event.currentTarget.value)}
            data-autofocus
            required
            withAsterisk={false}
          />
          <Group justify="flex-end">
            <Button variant="default" onClick={onClose}>
              Cancel
            </Button>
            <Button type="submit" loading={adding}>
              Continue
            </Button>
          </Group>
        </Stack>
      </form>
    </Dialog>
  );
}

interface RemovePasskeyDialogProps {
  passkey: PasskeyRecord;
  isLast: boolean;
  onClose(): void;
}

function RemovePasskeyDialog({ passkey, isLast, onClose }: RemovePasskeyDialogProps) {
  const sendChange = useSendChange();
  const { form, submit, problem, sending } = useCheckedForm({
    schema: RemovePasskeyForm,
    initialValues: { passkey_id: passkey.passkey_id, password: '' },
    labels: { password: 'Password' },
    send: async (values) => {
      await sendChange('POST', '/profile/passkeys/removal', values);
      onClose();
    },
  });
  return (
    <Dialog onClose={onClose} title={`Remove the passkey ${passkey.name}?`}>
      <form onSubmit={submit} noValidate>
        <Stack>
          <Text size="sm">
            It can no longer be used to sign in here.
            {isLast &&
              ' From then on, your password alone lets anybody sign in who knows it. Your recovery codes stop working, too.'}
          </Text>
          <FormProblem message={problem} />
          <PasswordInput
            label="Password"
            autoComplete="current-password"
            data-autofocus
            {...form.getInputProps('password')}
          />
          <Group justify="flex-end">
            <Button variant="default" onClick={onClose}>
              Cancel
            </Button>
            <Button type="submit" color="red.8" loading={sending}>
              Remove passkey
            </Button>
          </Group>
        </Stack>
      </form>
    </Dialog>
  );
}
