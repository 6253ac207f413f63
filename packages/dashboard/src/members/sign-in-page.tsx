import { Anchor, Button, PasswordInput, Stack, TextInput } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { Link, useSearch } from '@tanstack/react-router';
import { type FormEvent, useEffect, useRef, useState } from 'react';
import type { SignInAnswer } from '#contract/members/session.ts';
import { ApiError, callConsole } from '../api.ts';
import { CentredPage } from '../components/centred-page.tsx';
import { FormProblem } from '../components/form-problem.tsx';
import { loadPage } from '../load-page.ts';
import { sessionQuery } from '../session.ts';
import { showMessageFromBefore } from '../tell-after-loading.ts';
import { AccountChoice } from './account-choice.tsx';
import { PasskeyButton } from './passkey-button.tsx';
import { ProviderAccountPage } from './provider-account-page.tsx';
import { ProviderCodePage } from './provider-code-page.tsx';
import { setUpQuery } from './queries.ts';
import { SetUpNeeded } from './set-up-needed.tsx';
import { rememberTypedEmail, typedEmail } from './typed-email.ts';

/** What the console says in the address after a visit to the sign-in service. */
const PROVIDER_PROBLEMS: Record<string, string> = {
  provider: 'Signing in there did not work. Try again, or use your password.',
  wait: 'Too many attempts. Wait for a minute, and try again.',
  unknown: 'No member has your email there, or it is not verified. Ask for an invitation first.',
};

export function SignInPage() {
  const { next, step, problem } = useSearch({ from: '/sign-in' });
  useEffect(showMessageFromBefore, []);
  if (step === 'code') return <ProviderCodePage />;
  if (step === 'account') return <ProviderAccountPage />;
  if (step === 'switch') return <SwitchPage />;
  const before = problem === undefined ? undefined : PROVIDER_PROBLEMS[problem];
  return <PasswordPage next={next} before={before} />;
}

/** For a member who wants to change to another account, which asks for the password there. */
function SwitchPage() {
  const { data: session, isPending } = useQuery({ ...sessionQuery, retry: false });
  if (isPending) return null;
  return <PasswordPage knownEmail={session?.email} isSwitch />;
}

interface PasswordPageProps {
  next?: string | undefined;
  /** What went wrong before. */
  before?: string | undefined;
  knownEmail?: string | undefined;
  isSwitch?: boolean;
}

function PasswordPage({ next, before, knownEmail = '', isSwitch = false }: PasswordPageProps) {
  const [firstEmail] = useState(knownEmail || typedEmail());
  const [email, setEmail] = useState(firstEmail);
  const passwordField = useRef<HTMLInputElement>(null);
  const [password, setPassword] = useState('');
  const [code, setCode] = useState<string>();
  const [answer, setAnswer] = useState<SignInAnswer>();
  const [accountId, setAccountId] = useState<number>();
  const [problem, setProblem] = useState(before);
  const [sending, setSending] = useState(false);
  const { data: setUp } = useQuery(setUpQuery);

  const send = async (chosenId: number | undefined) => {
    setSending(true);
    setProblem(undefined);
    setAccountId(chosenId);
    try {
      const form = { email, password, ...(code && { code }), ...(chosenId !== undefined && { account_id: chosenId }) };
      const received = await callConsole<SignInAnswer>('POST', '/session', form);
      if (received.signed_in) return loadPage(next ?? '/');
      setAnswer(received);
      if (!received.accounts) setCode('');
    } catch (error) {
      if (!(error instanceof ApiError)) throw error;
      setProblem(error.message);
      // Whatever is typed next replaces what was wrong.
      if (code === undefined) {
        passwordField.current?.focus();
        passwordField.current?.select();
      }
    }
    setSending(false);
  };
  const submit = (event: FormEvent) => {
    event.preventDefault();
    return send(accountId);
  };
  /** The account was chosen for what was entered before. */
  const startAnew = () => {
    setAnswer(undefined);
    setAccountId(undefined);
    setCode(undefined);
    setProblem(undefined);
  };

  if (setUp?.is_needed) return <SetUpNeeded />;
  if (answer?.accounts) {
    return (
      <AccountChoice
        accounts={answer.accounts}
        problem={problem}
        sendingTo={sending ? accountId : undefined}
        onChoose={send}
        onBack={startAnew}
      />
    );
  }
  return (
    <CentredPage
      title={isSwitch ? 'Switch account' : 'Sign in'}
      description={isSwitch && 'Enter the password of the account that you want to open. Each account has its own.'}
    >
      <form onSubmit={submit}>
        <Stack>
          <FormProblem message={problem} />
          <TextInput
            label="Email"
            type="email"
            name="email"
            autoComplete="username"
            value={email}
            onChange={(event) => {
              startAnew();
              setEmail(event.currentTarget.value);
              rememberTypedEmail(event.currentTarget.value);
            }}
            required
            withAsterisk={false}
            autoFocus={firstEmail === ''}
          />
          <PasswordInput
            ref={passwordField}
            label="Password"
            name="password"
            autoComplete="current-password"
            value={password}
            onChange={(event) => setPassword(event.currentTarget.value)}
            required
            withAsterisk={false}
            autoFocus={firstEmail !== ''}
          />
          {code !== undefined && (
            <TextInput
              label="One-time code"
              description="The six digits in your authenticator app, or a recovery code. If you have a passkey, use that below."
              autoComplete="one-time-code"
              value={code}
              onChange={(event) => setCode(event.currentTarget.value)}
              required
              withAsterisk={false}
              autoFocus
            />
          )}
          <Button type="submit" loading={sending} fullWidth mt="xs">
            Sign in
          </Button>
          {setUp?.provider && (
            <Button component="a" href="/console/provider" variant="default" fullWidth>
              Continue with {setUp.provider}
            </Button>
          )}
          <PasskeyButton onProblem={setProblem} onSignedIn={() => loadPage(next ?? '/')} />
          {isSwitch && (
            <Anchor href="/" size="sm" ta="center">
              Stay in the current account
            </Anchor>
          )}
          <Anchor component={Link} to="/forgotten-password" size="sm" ta="center">
            Forgot your password?
          </Anchor>
        </Stack>
      </form>
    </CentredPage>
  );
}
