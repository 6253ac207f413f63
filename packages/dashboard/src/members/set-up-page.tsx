import { Button, Stack, Text, TextInput } from '@mantine/core';
import { PASSWORD_MIN_LENGTH } from '#contract/members/passwords.ts';
import { SetUpForm } from '#contract/members/session.ts';
import { call } from '../api.ts';
import { Entrance } from '../components/entrance.tsx';
import { FormProblem } from '../components/form-problem.tsx';
import { goTo } from '../go-to.ts';
import { useCheckedForm } from '../use-checked-form.ts';
import { tokenOfAddress } from './one-time-token.ts';
import { PasswordField } from './password-field.tsx';

export function SetUpPage() {
  const token = tokenOfAddress();
  const { form, submit, problem, sending } = useCheckedForm({
    schema: SetUpForm,
    initialValues: { token, name: '', email: '', password: '' },
    labels: { name: 'The name' },
    send: async (values) => {
      await call('POST', '/set-up', values);
      goTo('/', { replace: true });
    },
  });
  if (token === '') {
    return (
      <Entrance title="Set up Rollcall">
        <Text>This page opens from the link that `rollcall serve` prints when there is no account yet.</Text>
      </Entrance>
    );
  }
  return (
    <Entrance title="Set up Rollcall" lead="Your account, and you as its owner. It takes a minute.">
      <form onSubmit={submit} noValidate>
        <Stack>
          <FormProblem message={problem} />
          <TextInput label="Name of your firm" autoComplete="organization" autoFocus {...form.getInputProps('name')} />
          <TextInput label="Your email" type="email" autoComplete="username" {...form.getInputProps('email')} />
          <PasswordField label="Password" minLength={PASSWORD_MIN_LENGTH} {...form.getInputProps('password')} />
          <Button type="submit" loading={sending} fullWidth mt="xs">
            Create the account
          </Button>
        </Stack>
      </form>
    </Entrance>
  );
}
