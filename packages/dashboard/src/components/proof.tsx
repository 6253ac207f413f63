import { Button, Group, Modal, PasswordInput, Stack, Text, TextInput } from '@mantine/core';
import { useQueryClient } from '@tanstack/react-query';
import { createContext, type FormEvent, type ReactNode, useContext, useRef, useState } from 'react';
import { ApiError, call, PROOF_REQUIRED } from '../api.ts';
import { sessionQuery } from '../queries.ts';
import { FormProblem } from './form-problem.tsx';

type Prove = (status: number) => Promise<boolean>;

const ProofContext = createContext<Prove>(async () => false);

/** Asks for the password; true once it was right. */
export const useProve = () => useContext(ProofContext);

export function ProofProvider({ children }: { children: ReactNode }) {
  const [status, setStatus] = useState<number>();
  const settle = useRef<(proved: boolean) => void>(() => {});
  const prove: Prove = (asked) => {
    setStatus(asked);
    return new Promise((resolve) => {
      settle.current = resolve;
    });
  };
  const finish = (proved: boolean) => {
    setStatus(undefined);
    settle.current(proved);
  };
  return (
    <ProofContext.Provider value={prove}>
      {children}
      <Modal opened={status !== undefined} onClose={() => finish(false)} title="Is it still you?" zIndex={400} centered>
        <ProofForm status={status ?? PROOF_REQUIRED} onDone={finish} />
      </Modal>
    </ProofContext.Provider>
  );
}

function ProofForm({ status, onDone }: { status: number; onDone(proved: boolean): void }) {
  const session = useQueryClient().getQueryData(sessionQuery.queryKey);
  const [password, setPassword] = useState('');
  const [code, setCode] = useState<string>();
  const [problem, setProblem] = useState<string>();
  const ended = status !== PROOF_REQUIRED;

  const submit = async (event: FormEvent) => {
    event.preventDefault();
    setProblem(undefined);
    try {
      if (!ended) await call('POST', '/session/proof', { password });
      else {
        const form = { email: session?.email ?? '', password, ...(code && { code }) };
        const { signed_in: signedIn } = await call<{ signed_in: boolean }>('POST', '/session', form);
        if (!signedIn) return setCode('');
      }
      onDone(true);
    } catch (error) {
      if (!(error instanceof ApiError)) throw error;
      setProblem(error.message.replace(/^password/, 'The password'));
    }
  };

  return (
    <form onSubmit={submit}>
      <Stack>
        <Text size="sm">
          {ended
            ? `Your session has ended. Sign in again as ${session?.email ?? 'before'} to go on; nothing is lost.`
            : 'This changes who can reach your data, so we ask for your password again.'}
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
