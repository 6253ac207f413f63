import { Button, Stack, Text, TextInput } from '@mantine/core';
import { PASSWORD_MIN_LENGTH } from '#contract/members/passwords.ts';
import { SetUpForm } from '#contract/members/session.ts';
import { callConsole } from '../api.ts';
import { CentredPage } from '../components/centred-page.tsx';
import { FormProblem } from '../components/form-problem.tsx';
import { loadPage } from '../load-page.ts';
import { useCheckedForm } from '../use-checked-form.ts';
import { NewPasswordField } from './new-password-field.tsx';
import { tokenFromUrl } from './one-time-token.ts';

export function SetUpPage() {
  const token = tokenFromUrl();
  const { form, submit, problem, sending } = useCheckedForm({
    schema: SetUpForm,
    initialValues: { token, name: '', email: '', password: '' },
    labels: { name: 'Name' },
    send: async (values) => {
      await callConsole('POST', '/set-up', values);
      loadPage('/', { replace: true });
    },
  });
  if (token === '') {
    return (
      <CentredPage title="Set up Rollcall">
        <Text>
          Open this page with the link that <code>rollcall serve</code> prints when there is no account yet.
        </Text>
      </CentredPage>
    );
  }
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
