import { Anchor, Button, PasswordInput, Stack, TextInput } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { Link, useSearch } from '@tanstack/react-router';
import { type FormEvent, useState } from 'react';
import { ApiError, callConsole } from '../api.ts';
import { CentredPage } from '../components/centred-page.tsx';
import { FormProblem } from '../components/form-problem.tsx';
import { Notice } from '../components/notice.tsx';
import { loadPage } from '../load-page.ts';
import { PasskeyButton } from './passkey-button.tsx';
import { ProviderCodePage } from './provider-code-page.tsx';
import { setUpQuery } from './queries.ts';

/** What the console says in the address after a visit to the sign-in service. */
const PROVIDER_PROBLEMS: Record<string, string> = {
  provider: 'Signing in there did not work. Try again, or use your password.',
  wait: 'Too many attempts. Wait for a minute, and try again.',
  unknown: 'No member has your email there, or it is not verified. Ask for an invitation first.',
};

export function SignInPage() {
  const { next, step, problem } = useSearch({ from: '/sign-in' });
  if (step === 'code') return <ProviderCodePage />;
  return <PasswordPage next={next} before={problem === undefined ? undefined : PROVIDER_PROBLEMS[problem]} />;
}

function PasswordPage({ next, before }: { next: string | undefined; before: string | undefined }) {
  const [email, setEmail] = useState('');
  const [password, setPassword] = useState('');
  const [code, setCode] = useState<string>();
  const [problem, setProblem] = useState(before);
  const [sending, setSending] = useState(false);
  const { data: setUp } = useQuery(setUpQuery);

  const submit = async (event: FormEvent) => {
    event.preventDefault();
    setSending(true);
    setProblem(undefined);
    try {
      const form = { email, password, ...(code && { code }) };
      const { signed_in: signedIn } = await callConsole<{ signed_in: boolean }>('POST', '/session', form);
      if (signedIn) return loadPage(next ?? '/');
      setCode('');
    } catch (error) {
      if (!(error instanceof ApiError)) throw error;
      setProblem(error.message);
    }
    setSending(false);
  };

  return (
    <CentredPage title="Sign in">
      <form onSubmit={submit}>
        <Stack>
          {setUp?.is_needed && (
            <Notice tone="plain" title="There is no account yet">
              Open the link that <code>rollcall serve</code> has printed, or run <code>rollcall account create</code>.
            </Notice>
          )}
          <FormProblem message={problem} />
          <TextInput
            label="Email"
            type="email"
            name="email"
            autoComplete="username"
            value={email}
            onChange={(event) => setEmail(event.currentTarget.value)}
            required
            withAsterisk={false}
            autoFocus
          />
          <PasswordInput
            label="Password"
            name="password"
            autoComplete="current-password"
            value={password}
            onChange={(event) => setPassword(event.currentTarget.value)}
            required
            withAsterisk={false}
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
          <Anchor component={Link} to="/forgotten-password" size="sm" ta="center">
            Forgot your password?
          </Anchor>
        </Stack>
      </form>
    </CentredPage>
  );
}
