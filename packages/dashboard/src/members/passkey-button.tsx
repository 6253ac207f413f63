import { Button } from '@mantine/core';
import { IconFingerprint } from '@tabler/icons-react';
import { useState } from 'react';
import { callConsole } from '../api.ts';
import { askForPasskey, passkeyProblem } from '../passkeys.ts';

interface PasskeyButtonProps {
  onSignedIn(): void;
  onProblem(problem: string | undefined): void;
}

/** Signs in with a passkey, without email and password. */
export function PasskeyButton({ onSignedIn, onProblem }: PasskeyButtonProps) {
  const [asking, setAsking] = useState(false);
  const signIn = async () => {
    setAsking(true);
    onProblem(undefined);
    try {
      await callConsole('POST', '/session/passkey', { passkey: await askForPasskey() });
      return onSignedIn();
    } catch (error) {
      onProblem(passkeyProblem(error));
    }
    setAsking(false);
  };
  return (
    <Button variant="default" fullWidth loading={asking} onClick={signIn} leftSection={<IconFingerprint size={16} />}>
      Use a passkey
    </Button>
  );
}
