import { Button, Stack, TextInput } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { AcceptInvitationForm } from '#contract/members.ts';
import { PASSWORD_MIN_LENGTH } from '#contract/passwords.ts';
import { call } from '../api.ts';
import { Entrance } from '../components/entrance.tsx';
import { FormProblem } from '../components/form-problem.tsx';
import { Loaded } from '../components/loaded.tsx';
import { PasswordField } from '../components/password-field.tsx';
import { goTo } from '../go-to.ts';
import { tokenOfAddress } from '../one-time-token.ts';
import { useCheckedForm } from '../use-checked-form.ts';

interface Preview {
  email: string;
  role: string;
  account_name: string;
}

export function InvitationPage() {
  const token = tokenOfAddress();
  const preview = useQuery({
    queryKey: ['invitation', token],
    queryFn: () => call<Preview>('POST', '/invitation', { token }),
    staleTime: Number.POSITIVE_INFINITY,
  });
  return (
    <Entrance
      title={preview.data ? `Join ${preview.data.account_name}` : 'Your invitation'}
      lead={preview.data && `You were invited as ${preview.data.role}. Choose a password and you are in.`}
    >
      <Loaded query={preview} lines={3}>
        {({ email }) => <AcceptForm token={token} email={email} />}
      </Loaded>
    </Entrance>
  );
}

function AcceptForm({ token, email }: { token: string; email: string }) {
  const { form, submit, problem, sending } = useCheckedForm({
    schema: AcceptInvitationForm,
    initialValues: { token, password: '' },
    labels: {},
    send: async (values) => {
      await call('POST', '/invitation/acceptance', values);
      goTo('/', { replace: true });
    },
  });
  return (
    <form onSubmit={submit} noValidate>
      <Stack>
        <FormProblem message={problem} />
        <TextInput label="Your email" value={email} readOnly autoComplete="username" />
        <PasswordField label="Password" minLength={PASSWORD_MIN_LENGTH} autoFocus {...form.getInputProps('password')} />
        <Button type="submit" loading={sending} fullWidth mt="xs">
          Join
        </Button>
      </Stack>
    </form>
  );
}
