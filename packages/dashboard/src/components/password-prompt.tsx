import { Button, Group, Modal, PasswordInput, Stack, Text, TextInput } from '@mantine/core';
import { useQueryClient } from '@tanstack/react-query';
import { createContext, type FormEvent, type ReactNode, useContext, useRef, useState } from 'react';
import { ApiError, callConsole, PASSWORD_REQUIRED } from '../api.ts';
import { sessionQuery } from '../session.ts';
import { FormProblem } from './form-problem.tsx';

/** Takes the status with which the console refused a change. Returns whether the right password was entered. */
type PromptForPassword = (status: number) => Promise<boolean>;

const PasswordPromptContext = createContext<PromptForPassword>(async () => false);

export const usePasswordPrompt = () => useContext(PasswordPromptContext);

/** Lets every component below it ask for the member's password in a dialog. */
export function PasswordPromptProvider({ children }: { children: ReactNode }) {
  const [status, setStatus] = useState<number>();
  const settle = useRef<(confirmed: boolean) => void>(() => {});
  const promptForPassword: PromptForPassword = (refusedWith) => {
    setStatus(refusedWith);
    return new Promise((resolve) => {
      settle.current = resolve;
    });
  };
  const finish = (confirmed: boolean) => {
    setStatus(undefined);
    // Only when the key press that closed this dialog is over, because it must not also close the dialog below.
    setTimeout(settle.current, 0, confirmed);
  };
  return (
    <PasswordPromptContext.Provider value={promptForPassword}>
      {children}
      <Modal opened={status !== undefined} onClose={() => finish(false)} title="Confirm it's you" zIndex={400} centered>
        <PasswordForm status={status ?? PASSWORD_REQUIRED} onDone={finish} />
      </Modal>
    </PasswordPromptContext.Provider>
  );
}

function PasswordForm({ status, onDone }: { status: number; onDone(confirmed: boolean): void }) {
  const session = useQueryClient().getQueryData(sessionQuery.queryKey);
  const [password, setPassword] = useState('');
  const [code, setCode] = useState<string>();
  const [problem, setProblem] = useState<string>();
  const ended = status !== PASSWORD_REQUIRED;

  const submit = async (event: FormEvent) => {
    event.preventDefault();
    setProblem(undefined);
    try {
      if (!ended) await callConsole('POST', '/session/proof', { password });
      else {
        const form = { email: session?.email ?? '', password, ...(code && { code }) };
        const { signed_in: signedIn } = await callConsole<{ signed_in: boolean }>('POST', '/session', form);
        if (!signedIn) return setCode('');
      }
      onDone(true);
    } catch (error) {
      if (!(error instanceof ApiError)) throw error;
      setProblem(error.message);
    }
  };

  return (
    <form onSubmit={submit}>
      <Stack>
        <Text size="sm">
          {ended
            ? `Your session has ended. Sign in again as ${session?.email ?? 'the same member'} to continue; nothing is lost.`
            : 'This changes who has access to your data, so please enter your password again.'}
        </Text>
        <FormProblem message={problem} />
        <PasswordInput
          label="Password"
          autoComplete="current-password"
          value={password}
          onChange={(event) => setPassword(event.currentTarget.value)}
          data-autofocus
          required
        />
        {code !== undefined && (
          <TextInput
            label="One-time code"
            inputMode="numeric"
            autoComplete="one-time-code"
            value={code}
            onChange={(event) => setCode(event.currentTarget.value)}
            required
          />
        )}
        <Group justify="flex-end">
          <Button variant="default" onClick={() => onDone(false)}>
            Cancel
          </Button>
          <Button type="submit">Continue</Button>
        </Group>
      </Stack>
    </form>
  );
}
