import { Anchor, Button, Stack, TextInput } from '@mantine/core';
import { ProviderCodeForm } from '#contract/members/session.ts';
import { callConsole } from '../api.ts';
import { CentredPage } from '../components/centred-page.tsx';
import { FormProblem } from '../components/form-problem.tsx';
import { loadPage } from '../load-page.ts';
import { useCheckedForm } from '../use-checked-form.ts';

/** After the sign-in service has named a member who has a second factor. */
export function ProviderCodePage() {
  const { form, submit, problem, sending } = useCheckedForm({
    schema: ProviderCodeForm,
    initialValues: { code: '' },
    labels: { code: 'Code' },
    send: async (values) => {
      await callConsole('POST', '/session/provider', values);
      loadPage('/', { replace: true });
    },
  });
  return (
    <CentredPage title="Second factor" description="One more step, because your account here has a second factor.">
      <form onSubmit={submit} noValidate>
        <Stack>
          <FormProblem message={problem} />
          <TextInput
            label="Code"
            description="The six digits in your authenticator app, or a recovery code."
            autoComplete="one-time-code"
            autoFocus
            {...form.getInputProps('code')}
          />
          <Button type="submit" loading={sending} fullWidth mt="xs">
            Sign in
          </Button>
          <Anchor href="/sign-in" size="sm" ta="center">
            Sign in another way, such as with a passkey
          </Anchor>
        </Stack>
      </form>
    </CentredPage>
  );
}
