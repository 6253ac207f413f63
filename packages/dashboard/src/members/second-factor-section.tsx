import { Anchor, Button, Group, PasswordInput, Stack, Text, TextInput } from '@mantine/core';
import { useState } from 'react';
import { ConfirmSecondFactorForm, RemoveSecondFactorForm, type SecondFactorOffer } from '#contract/members/profile.ts';
import { CopyBlock } from '../components/copy-block.tsx';
import { FormProblem } from '../components/form-problem.tsx';
import { Section } from '../components/section.tsx';
import { report } from '../report.ts';
import { useChange } from '../use-change.ts';
import { useCheckedForm } from '../use-checked-form.ts';

export function SecondFactorSection({ hasSecondFactor }: { hasSecondFactor: boolean }) {
  return (
    <Section
      title="Second factor"
      lead={
        hasSecondFactor
          ? 'On. Signing in asks for a code of your authenticator app; a password may have 8 characters.'
          : 'Off. With a code of an authenticator app at sign-in, a stolen password alone is worth nothing.'
      }
    >
      {hasSecondFactor ? <Remove /> : <Add />}
    </Section>
  );
}

function Add() {
  const change = useChange();
  const [offer, setOffer] = useState<SecondFactorOffer>();
  if (offer) return <Confirm offer={offer} />;
  const begin = async () => setOffer(await change<SecondFactorOffer>('POST', '/profile/second-factor'));
  return (
    <Button variant="default" onClick={() => report(begin())}>
      Add a second factor
    </Button>
  );
}

function Confirm({ offer }: { offer: SecondFactorOffer }) {
  const change = useChange();
  const { form, submit, problem, sending } = useCheckedForm({
    schema: ConfirmSecondFactorForm,
    initialValues: { code: '' },
    labels: { code: 'The code' },
    send: async (values) => {
      await change('PUT', '/profile/second-factor', values);
    },
  });
  return (
    <form onSubmit={submit} noValidate>
      <Stack maw={460}>
        <Text size="sm">
          Add this key to your authenticator app, or <Anchor href={offer.link}>open the app on this device</Anchor>.
          Then type the code that it shows.
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
            Turn it on
          </Button>
        </Group>
      </Stack>
    </form>
  );
}

function Remove() {
  const change = useChange();
  const [asking, setAsking] = useState(false);
  const { form, submit, problem, sending } = useCheckedForm({
    schema: RemoveSecondFactorForm,
    initialValues: { password: '' },
    labels: { password: 'The password' },
    send: async (values) => {
      await change('POST', '/profile/second-factor/removal', values);
    },
  });
  if (!asking) {
    return (
      <Button variant="default" onClick={() => setAsking(true)}>
        Remove the second factor
      </Button>
    );
  }
  return (
    <form onSubmit={submit} noValidate>
      <Stack maw={380}>
        <FormProblem message={problem} />
        <PasswordInput
          label="Your password"
          autoComplete="current-password"
          autoFocus
          {...form.getInputProps('password')}
        />
        <Group>
          <Button type="submit" color="red.8" loading={sending}>
            Remove it
          </Button>
          <Button variant="default" onClick={() => setAsking(false)}>
            Keep it
          </Button>
        </Group>
      </Stack>
    </form>
  );
}
