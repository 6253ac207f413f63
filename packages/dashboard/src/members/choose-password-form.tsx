import { Button, Stack, TextInput } from '@mantine/core';
import type { TObject } from 'typebox';
import { PASSWORD_MIN_LENGTH } from '#contract/members/passwords.ts';
import { call } from '../api.ts';
import { FormProblem } from '../components/form-problem.tsx';
import { goTo } from '../go-to.ts';
import { useCheckedForm } from '../use-checked-form.ts';
import { PasswordField } from './password-field.tsx';

interface ChoosePasswordFormProps {
  schema: TObject;
  /** Where the one-time token and the password are sent; whoever sent them is signed in afterwards. */
  path: string;
  token: string;
  email: string;
  passwordLabel: string;
  submitLabel: string;
}

/** What somebody sees who was let in by a one-time link. */
export function ChoosePasswordForm({
  schema,
  path,
  token,
  email,
  passwordLabel,
  submitLabel,
}: ChoosePasswordFormProps) {
  const { form, submit, problem, sending } = useCheckedForm({
    schema,
    initialValues: { token, password: '' },
    labels: {},
    send: async (values) => {
      await call('POST', path, values);
      goTo('/', { replace: true });
    },
  });
  return (
    <form onSubmit={submit} noValidate>
      <Stack>
        <FormProblem message={problem} />
        <TextInput label="Your email" value={email} readOnly autoComplete="username" />
        <PasswordField
          label={passwordLabel}
          minLength={PASSWORD_MIN_LENGTH}
          autoFocus
          {...form.getInputProps('password')}
        />
        <Button type="submit" loading={sending} fullWidth mt="xs">
          {submitLabel}
        </Button>
      </Stack>
    </form>
  );
}
