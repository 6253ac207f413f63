import { Anchor, Button, Group, Stack, Text, TextInput } from '@mantine/core';
import { useState } from 'react';
import { ConfirmSecondFactorForm, type RecoveryCodes, type SecondFactorOffer } from '#contract/members/profile.ts';
import { CopyBlock } from '../components/copy-block.tsx';
import { FormProblem } from '../components/form-problem.tsx';
import { Section } from '../components/section.tsx';
import { countText } from '../count-text.ts';
import { notifyOnError } from '../notify-on-error.ts';
import { useCheckedForm } from '../use-checked-form.ts';
import { useSendChange } from '../use-send-change.ts';
import { QrCode } from './qr-code.tsx';
import { RecoveryCodesDialog, RenewCodesButton } from './recovery-codes.tsx';
import { RemoveSecondFactor } from './remove-second-factor.tsx';

interface SecondFactorSectionProps {
  hasSecondFactor: boolean;
  codesLeft: number;
}

export function SecondFactorSection({ hasSecondFactor, codesLeft }: SecondFactorSectionProps) {
  // Kept here, because they are shown once, and everything below changes when the second factor is on.
  const [codes, setCodes] = useState<string[]>();
  return (
    <Section
      title="Second factor"
      description={
        hasSecondFactor
          ? 'On. Signing in asks for a code from your authenticator app, and your password may have as few as 8 characters.'
          : 'Off. With a code from an authenticator app, a stolen password alone is not enough to sign in.'
      }
    >
      {hasSecondFactor ? (
        <Stack align="flex-start">
          <Text size="sm">
            {countText(codesLeft, 'recovery code', 'recovery codes')} left. Each replaces a code from the app once, if
            you lose it.
          </Text>
          <Group align="flex-start">
            <RenewCodesButton onCodes={setCodes} />
            <RemoveSecondFactor />
          </Group>
        </Stack>
      ) : (
        <AddSecondFactor onCodes={setCodes} />
      )}
      {codes && <RecoveryCodesDialog codes={codes} onClose={() => setCodes(undefined)} />}
    </Section>
  );
}

function AddSecondFactor({ onCodes }: { onCodes(codes: string[]): void }) {
  const sendChange = useSendChange();
  const [offer, setOffer] = useState<SecondFactorOffer>();
  if (offer) return <ConfirmSecondFactor offer={offer} onCodes={onCodes} />;
  const begin = async () => setOffer(await sendChange<SecondFactorOffer>('POST', '/profile/second-factor'));
  return (
    <Button variant="default" onClick={() => notifyOnError(begin())}>
      Add second factor
    </Button>
  );
}

function ConfirmSecondFactor({ offer, onCodes }: { offer: SecondFactorOffer; onCodes(codes: string[]): void }) {
  const sendChange = useSendChange({ refetch: 'later' });
  const { form, submit, problem, sending } = useCheckedForm({
    schema: ConfirmSecondFactorForm,
    initialValues: { code: '' },
    labels: { code: 'Code' },
    send: async (values) => {
      const { recovery_codes: codes } = await sendChange<RecoveryCodes>('PUT', '/profile/second-factor', values);
      onCodes(codes);
    },
  });
  return (
    <form onSubmit={submit} noValidate>
      <Stack maw={460}>
        <Text size="sm">
          Scan this QR code with an authenticator app, or <Anchor href={offer.link}>open the app on this device</Anchor>
          . Then enter the code that the app shows. Your other browsers will be signed out.
        </Text>
        <QrCode text={offer.link} label="QR code for your authenticator app" />
        <CopyBlock label="Or enter this key" value={offer.secret.replace(/(.{4})(?=.)/g, '$1 ')} />
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
