import { Button, Stack, TextInput } from '@mantine/core';
import type { TObject } from 'typebox';
import { PASSWORD_MIN_LENGTH } from '#contract/members/passwords.ts';
import { callConsole } from '../api.ts';
import { FormProblem } from '../components/form-problem.tsx';
import { loadPage } from '../load-page.ts';
import { useCheckedForm } from '../use-checked-form.ts';
import { NewPasswordField } from './new-password-field.tsx';

interface ChoosePasswordFormProps {
  schema: TObject;
  /** Where the one-time token and the password are sent. The answer signs the member in, unless a second factor is needed. */
  path: string;
  token: string;
  email: string;
  passwordLabel: string;
  submitLabel: string;
}

/** The form behind a one-time link: an invitation or a password reset. */
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
      const answer = await callConsole<{ signed_in: boolean } | null>('POST', path, values);
      loadPage(answer?.signed_in === false ? '/sign-in' : '/', { replace: true });
    },
  });
  return (
    <form onSubmit={submit} noValidate>
      <Stack>
        <FormProblem message={problem} />
        <TextInput label="Your email" value={email} readOnly autoComplete="username" />
        <NewPasswordField
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
