import { Button, Stack, TextInput } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { PASSWORD_MIN_LENGTH } from '#contract/members/passwords.ts';
import { SetUpForm } from '#contract/members/session.ts';
import { callConsole } from '../api.ts';
import { CentredPage } from '../components/centred-page.tsx';
import { FormProblem } from '../components/form-problem.tsx';
import { loadPage } from '../load-page.ts';
import { useCheckedForm } from '../use-checked-form.ts';
import { NewPasswordField } from './new-password-field.tsx';
import { tokenFromUrl } from './one-time-token.ts';
import { setUpQuery } from './queries.ts';
import { SetUpNeeded } from './set-up-needed.tsx';

/** The link may have been used, or opened without what follows the # in it. */
export function SetUpPage() {
  const token = tokenFromUrl();
  const setUp = useQuery(setUpQuery);
  if (setUp.data && !setUp.data.is_needed) return <AlreadySetUp />;
  return token === '' ? <SetUpNeeded /> : <AccountForm token={token} />;
}

function AlreadySetUp() {
  return (
    <CentredPage
      title="Rollcall is set up"
      description="An account exists already, so this link does not work any more."
    >
      <Button component={Link} to="/sign-in" variant="default" fullWidth>
        Go to sign-in
      </Button>
    </CentredPage>
  );
}

function AccountForm({ token }: { token: string }) {
  const { form, submit, problem, sending } = useCheckedForm({
    schema: SetUpForm,
    initialValues: { token, name: '', email: '', password: '' },
    labels: { name: 'Name' },
    send: async (values) => {
      await callConsole('POST', '/set-up', values);
      loadPage('/', { replace: true });
    },
  });
  return (
    <CentredPage title="Set up Rollcall" description="Create an account for your firm. You will be its owner.">
      <form onSubmit={submit} noValidate>
        <Stack>
          <FormProblem message={problem} />
          <TextInput label="Name of your firm" autoComplete="organization" autoFocus {...form.getInputProps('name')} />
          <TextInput label="Your email" type="email" autoComplete="username" {...form.getInputProps('email')} />
          <NewPasswordField label="Password" minLength={PASSWORD_MIN_LENGTH} {...form.getInputProps('password')} />
          <Button type="submit" loading={sending} fullWidth mt="xs">
            Create account
          </Button>
        </Stack>
      </form>
    </CentredPage>
  );
}
