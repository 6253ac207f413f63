import { Anchor, Button, Group, PasswordInput, Stack, Text, TextInput } from '@mantine/core';
import { useState } from 'react';
import { ConfirmSecondFactorForm, RemoveSecondFactorForm, type SecondFactorOffer } from '#contract/members/profile.ts';
import { CopyBlock } from '../components/copy-block.tsx';
import { FormProblem } from '../components/form-problem.tsx';
import { Section } from '../components/section.tsx';
import { notifyOnError } from '../notify-on-error.ts';
import { useCheckedForm } from '../use-checked-form.ts';
import { useSendChange } from '../use-send-change.ts';

export function SecondFactorSection({ hasSecondFactor }: { hasSecondFactor: boolean }) {
  return (
    <Section
      title="Second factor"
      description={
        hasSecondFactor
          ? 'On. Signing in asks for a code from your authenticator app, and your password may have as few as 8 characters.'
          : 'Off. With a code from an authenticator app, a stolen password alone is not enough to sign in.'
      }
    >
      {hasSecondFactor ? <RemoveSecondFactor /> : <AddSecondFactor />}
    </Section>
  );
}

function AddSecondFactor() {
  const sendChange = useSendChange();
  const [offer, setOffer] = useState<SecondFactorOffer>();
  if (offer) return <ConfirmSecondFactor offer={offer} />;
  const begin = async () => setOffer(await sendChange<SecondFactorOffer>('POST', '/profile/second-factor'));
  return (
    <Button variant="default" onClick={() => notifyOnError(begin())}>
      Add second factor
    </Button>
  );
}

function ConfirmSecondFactor({ offer }: { offer: SecondFactorOffer }) {
  const sendChange = useSendChange();
  const { form, submit, problem, sending } = useCheckedForm({
    schema: ConfirmSecondFactorForm,
    initialValues: { code: '' },
    labels: { code: 'Code' },
    send: async (values) => {
      await sendChange('PUT', '/profile/second-factor', values);
    },
  });
  return (
    <form onSubmit={submit} noValidate>
      <Stack maw={460}>
        <Text size="sm">
          Add this key to your authenticator app, or <Anchor href={offer.link}>open the app on this device</Anchor>.
          Then enter the code that the app shows.
        </Text>
        <CopyBlock label="Key" value={offer.secret.replace(/(.{4})(?=.)/g, '$1 ')} />
        <FormProblem message={problem} />
        <TextInput
          label="Code"
          inputMode="numeric"
          autoComplete="one-time-code"
          maw={200}
          {...form.getInputProps('code')}
        />
        <Group>
          <Button type="submit" loading={sending}>
            Turn on
          </Button>
        </Group>
      </Stack>
    </form>
  );
}

function RemoveSecondFactor() {
  const sendChange = useSendChange();
  const [asking, setAsking] = useState(false);
  const { form, submit, problem, sending } = useCheckedForm({
    schema: RemoveSecondFactorForm,
    initialValues: { password: '' },
    labels: { password: 'Password' },
    send: async (values) => {
      await sendChange('POST', '/profile/second-factor/removal', values);
    },
  });
  if (!asking) {
    return (
      <Button variant="default" onClick={() => setAsking(true)}>
        Remove second factor
      </Button>
    );
  }
  return (
    <form onSubmit={submit} noValidate>
      <Stack maw={380}>
        <FormProblem message={problem} />
        <PasswordInput label="Password" autoComplete="current-password" autoFocus {...form.getInputProps('password')} />
        <Group>
          <Button type="submit" color="red.8" loading={sending}>
            Remove second factor
          </Button>
          <Button variant="default" onClick={() => setAsking(false)}>
            Cancel
          </Button>
        </Group>
      </Stack>
    </form>
  );
}
