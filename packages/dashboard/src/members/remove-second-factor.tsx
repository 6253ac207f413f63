import { Button, Group, PasswordInput, Stack, Text, TextInput } from '@mantine/core';
import { useState } from 'react';
import { RemoveSecondFactorForm } from '#contract/members/profile.ts';
import { Dialog } from '../components/dialog.tsx';
import { FormProblem } from '../components/form-problem.tsx';
import { useCheckedForm } from '../use-checked-form.ts';
import { useSendChange } from '../use-send-change.ts';

export function RemoveSecondFactor({ isLast }: { isLast: boolean }) {
  const [asking, setAsking] = useState(false);
  return (
    <>
      <Button variant="default" onClick={() => setAsking(true)}>
        Remove authenticator app…
      </Button>
      {asking && <RemoveDialog isLast={isLast} onClose={() => setAsking(false)} />}
    </>
  );
}

function RemoveDialog({ isLast, onClose }: { isLast: boolean; onClose(): void }) {
  const sendChange = useSendChange();
  const { form, submit, problem, sending } = useCheckedForm({
    schema: RemoveSecondFactorForm,
    initialValues: { password: '', code: '' },
    labels: { password: 'Password', code: 'Code' },
    send: async (values) => {
      await sendChange('POST', '/profile/second-factor/removal', values);
    },
  });
  return (
    <Dialog onClose={onClose} title="Remove your authenticator app?">
      <form onSubmit={submit} noValidate>
        <Stack>
          {isLast && (
            <Text size="sm">
              From then on, your password alone lets anybody sign in who knows it. Your recovery codes stop working,
              too.
            </Text>
          )}
          <FormProblem message={problem} />
          <PasswordInput
            label="Password"
            autoComplete="current-password"
            data-autofocus
            {...form.getInputProps('password')}
          />
          <TextInput
            label="Code"
            description="From your authenticator app, or a recovery code."
            autoComplete="one-time-code"
            {...form.getInputProps('code')}
          />
          <Group justify="flex-end">
            <Button variant="default" onClick={onClose}>
              Cancel
            </Button>
            <Button type="submit" color="red.8" loading={sending}>
              Remove authenticator app
            </Button>
          </Group>
        </Stack>
      </form>
    </Dialog>
  );
}
