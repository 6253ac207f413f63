import { Button, Group, Modal, PasswordInput, Stack, Text, TextInput } from '@mantine/core';
import { useQueryClient } from '@tanstack/react-query';
import { createContext, type FormEvent, type ReactNode, useContext, useRef, useState } from 'react';
import type { SessionRecord } from '#contract/members/index.ts';
import { ApiError, callConsole, SIGNED_OUT } from '../api.ts';
import { loadPage } from '../load-page.ts';
import { askForPasskey, passkeyProblem } from '../passkeys.ts';
import { sessionQuery } from '../session.ts';
import { FormProblem } from './form-problem.tsx';
import { type ProofRequest, proofRequestText } from './proof-request.ts';

/** Returns whether the member has shown that it is them. */
type PromptForProof = (request: ProofRequest) => Promise<boolean>;

/** Longer than a session usually takes to be read, and short enough that nobody wonders. */
const REFRESH_MS = 2000;

const ProofPromptContext = createContext<PromptForProof>(async () => false);

export const useProofPrompt = () => useContext(ProofPromptContext);

/** Lets every component below it ask for the member's password or a code in a dialog. */
export function ProofPromptProvider({ children }: { children: ReactNode }) {
  const [request, setRequest] = useState<ProofRequest>();
  const [opened, setOpened] = useState(false);
  const settle = useRef<(confirmed: boolean) => void>(() => {});
  const queries = useQueryClient();
  const promptForProof: PromptForProof = async (asked) => {
    // Whether a code is asked for may have changed in another tab. If the session has ended, what is known is enough.
    const refreshed = queries.fetchQuery({ ...sessionQuery, staleTime: 0 }).catch(() => {});
    await Promise.race([refreshed, new Promise((resolve) => setTimeout(resolve, REFRESH_MS))]);
    setRequest(asked);
    setOpened(true);
    return new Promise((resolve) => {
      settle.current = resolve;
    });
  };
  const finish = (confirmed: boolean) => {
    setOpened(false);
    // Only when the key press that closed this dialog is over, because it must not also close the dialog below.
    setTimeout(settle.current, 0, confirmed);
  };
  return (
    <ProofPromptContext.Provider value={promptForProof}>
      {children}
      <Modal opened={opened} onClose={() => finish(false)} title="Confirm it’s you" zIndex={400} centered>
        {request && <ProofForm asked={request} onDone={finish} />}
      </Modal>
    </ProofPromptContext.Provider>
  );
}

function ProofForm({ asked, onDone }: { asked: ProofRequest; onDone(confirmed: boolean): void }) {
  const session = useQueryClient().getQueryData(sessionQuery.queryKey);
  const [password, setPassword] = useState('');
  const [problem, setProblem] = useState<string>();
  const [request, setRequest] = useState(asked);
  const ended = request.hasEnded;
  const [sending, setSending] = useState(false);
  const byPasskey = session?.has_passkey ?? false;
  const byCode = !ended && (session?.has_second_factor ?? false);
  const [code, setCode] = useState(byCode ? '' : undefined);

  const usePasskeyInstead = async () => {
    setProblem(undefined);
    try {
      const passkey = await askForPasskey();
      await callConsole('POST', ended ? '/session/passkey' : '/session/proof', { passkey });
      // The passkey may be that of somebody else, who must not go on with what this member has begun.
      const { email, account_id } = await callConsole<SessionRecord>('GET', '/session');
      if (email !== session?.email || account_id !== session.account_id) return loadPage('/');
      onDone(true);
    } catch (error) {
      if (error instanceof ApiError && error.status === SIGNED_OUT && !ended) {
        setCode(undefined);
        return setRequest({ hasEnded: true });
      }
      setProblem(passkeyProblem(error));
    }
  };

  const submit = async (event: FormEvent) => {
    event.preventDefault();
    setProblem(undefined);
    setSending(true);
    try {
      if (!ended) await callConsole('POST', '/session/proof', byCode ? { code } : { password });
      else {
        const { email = '', account_id } = session ?? {};
        const form = { email, account_id, password, ...(code && { code }) };
        const { signed_in: signedIn } = await callConsole<{ signed_in: boolean }>('POST', '/session', form);
        if (!signedIn) return setCode('');
      }
      onDone(true);
    } catch (error) {
      if (!(error instanceof ApiError)) throw error;
      if (ended || error.status !== SIGNED_OUT) return setProblem(error.message);
      // Such as after the answer to an earlier proof was lost, and with it the new token.
      setRequest({ hasEnded: true });
      setCode(undefined);
    } finally {
      setSending(false);
    }
  };

  return (
    <form onSubmit={submit}>
      <Stack>
        <Text size="sm">{proofRequestText(request, session?.email)}</Text>
        <FormProblem message={problem} />
        {byPasskey && (
          <Button variant="default" onClick={usePasskeyInstead} data-autofocus>
            Use a passkey
          </Button>
        )}
        {!byCode && (
          <PasswordInput
            label="Password"
            autoComplete="current-password"
            value={password}
            onChange={(event) => setPassword(event.currentTarget.value)}
            data-autofocus
            required
            withAsterisk={false}
          />
        )}
        {code !== undefined && (
          <TextInput
            label={byPasskey && !ended ? 'Recovery code' : 'One-time code'}
            description={
              byPasskey && !ended
                ? 'If you cannot use your passkey.'
                : 'From your authenticator app, or a recovery code.'
            }
            autoComplete="one-time-code"
            value={code}
            onChange={(event) => setCode(event.currentTarget.value)}
            data-autofocus={(byCode && !byPasskey) || undefined}
            required
            withAsterisk={false}
          />
        )}
        <Group justify="flex-end">
          <Button variant="default" onClick={() => onDone(false)}>
            Cancel
          </Button>
          <Button type="submit" loading={sending}>
            Continue
          </Button>
        </Group>
      </Stack>
    </form>
  );
}
