import { Anchor, Button, Group, Stack, Text, TextInput, Title } from '@mantine/core';
import { useState } from 'react';
import type { PasskeyRecord } from '#contract/members/passkeys.ts';
import { ConfirmSecondFactorForm, type RecoveryCodes, type SecondFactorOffer } from '#contract/members/profile.ts';
import { CopyBlock } from '../components/copy-block.tsx';
import { FormProblem } from '../components/form-problem.tsx';
import { Section } from '../components/section.tsx';
import { countText } from '../count-text.ts';
import { notifyOnError } from '../notify-on-error.ts';
import { useCheckedForm } from '../use-checked-form.ts';
import { useSendChange } from '../use-send-change.ts';
import { PasskeyList } from './passkey-list.tsx';
import { QrCode } from './qr-code.tsx';
import { RecoveryCodesDialog, RenewCodesButton } from './recovery-codes.tsx';
import { RemoveSecondFactor } from './remove-second-factor.tsx';

interface SecondFactorSectionProps {
  hasApp: boolean;
  passkeys: PasskeyRecord[];
  codesLeft: number;
}

export function SecondFactorSection({ hasApp, passkeys, codesLeft }: SecondFactorSectionProps) {
  // Kept here, because they are shown once, and everything below changes when the second factor is on.
  const [codes, setCodes] = useState<string[]>();
  const hasSecondFactor = hasApp || passkeys.length > 0;
  return (
    <Section
      title="Second factor"
      description={
        hasSecondFactor
          ? 'On. A stolen password alone is not enough to sign in, and yours may have as few as 8 characters.'
          : 'Off. With a passkey or an authenticator app, a stolen password alone is not enough to sign in.'
      }
    >
      <Stack gap="lg">
        <PasskeyList passkeys={passkeys} isLast={!hasApp && passkeys.length === 1} onCodes={setCodes} />
        <Stack align="flex-start" gap="xs">
          <Title order={3} size="h5">
            Authenticator app
          </Title>
          {hasApp ? <RemoveSecondFactor isLast={passkeys.length === 0} /> : <AddSecondFactor onCodes={setCodes} />}
        </Stack>
        {hasSecondFactor && (
          <Stack align="flex-start" gap="xs">
            <Title order={3} size="h5">
              Recovery codes
            </Title>
            <Text size="sm">
              {countText(codesLeft, 'recovery code', 'recovery codes')} left. Each replaces your second factor once, if
              you lose it.
            </Text>
            <RenewCodesButton onCodes={setCodes} />
          </Stack>
        )}
      </Stack>
      {codes && codes.length > 0 && <RecoveryCodesDialog codes={codes} onClose={() => setCodes(undefined)} />}
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
      Add authenticator app
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
