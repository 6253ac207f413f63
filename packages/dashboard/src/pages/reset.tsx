import { Button, Stack, TextInput } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { PASSWORD_MIN_LENGTH } from '#contract/passwords.ts';
import { type ResetPreview, UseResetForm } from '#contract/reset.ts';
import { call } from '../api.ts';
import { Entrance } from '../components/entrance.tsx';
import { FormProblem } from '../components/form-problem.tsx';
import { Loaded } from '../components/loaded.tsx';
import { PasswordField } from '../components/password-field.tsx';
import { goTo } from '../go-to.ts';
import { tokenOfAddress } from '../one-time-token.ts';
import { useCheckedForm } from '../use-checked-form.ts';

export function ResetPage() {
  const token = tokenOfAddress();
  const preview = useQuery({
    queryKey: ['reset', token],
    queryFn: () => call<ResetPreview>('POST', '/reset', { token }),
    staleTime: Number.POSITIVE_INFINITY,
  });
  return (
    <Entrance
      title="Set a new password"
      lead={
        preview.data &&
        `For ${preview.data.account_name}. A second factor is removed, and every browser that is signed in is signed out.`
      }
    >
      <Loaded query={preview} lines={3}>
        {({ email }) => <NewPasswordForm token={token} email={email} />}
      </Loaded>
    </Entrance>
  );
}

function NewPasswordForm({ token, email }: { token: string; email: string }) {
  const { form, submit, problem, sending } = useCheckedForm({
    schema: UseResetForm,
    initialValues: { token, password: '' },
    labels: {},
    send: async (values) => {
      await call('POST', '/reset/password', values);
      goTo('/', { replace: true });
    },
  });
  return (
    <form onSubmit={submit} noValidate>
      <Stack>
        <FormProblem message={problem} />
        <TextInput label="Your email" value={email} readOnly autoComplete="username" />
        <PasswordField
          label="New password"
          minLength={PASSWORD_MIN_LENGTH}
          autoFocus
          {...form.getInputProps('password')}
        />
        <Button type="submit" loading={sending} fullWidth mt="xs">
          Set the password and sign in
        </Button>
      </Stack>
    </form>
  );
}
