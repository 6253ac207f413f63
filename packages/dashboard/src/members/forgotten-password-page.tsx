import { Anchor, Button, Stack, Text, TextInput } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { useState } from 'react';
import { ForgottenPasswordForm } from '#contract/members/reset.ts';
import { callConsole } from '../api.ts';
import { CentredPage } from '../components/centred-page.tsx';
import { FormProblem } from '../components/form-problem.tsx';
import { QueryContent } from '../components/query-content.tsx';
import { useCheckedForm } from '../use-checked-form.ts';
import { setUpQuery } from './queries.ts';
import { typedEmail } from './typed-email.ts';

export function ForgottenPasswordPage() {
  const setUp = useQuery(setUpQuery);
  const [askedFor, setAskedFor] = useState<string>();
  return (
    <CentredPage title="Set a new password">
      <QueryContent query={setUp} lines={2}>
        {({ sends_mail: sendsMail }) => (
          <Stack>
            {!sendsMail && <WithoutMail />}
            {sendsMail && askedFor === undefined && <AskForm onAsked={setAskedFor} />}
            {askedFor !== undefined && (
              <Text role="status">
                If {askedFor} belongs to a member, a mail with a link is on its way, one for each of their accounts. A
                link works once, for one hour. Look into the spam folder, too.
              </Text>
            )}
            <Anchor component={Link} to="/sign-in" size="sm" ta="center">
              Back to sign-in
            </Anchor>
          </Stack>
        )}
      </QueryContent>
    </CentredPage>
  );
}

function WithoutMail() {
  return (
    <Text>
      This installation sends no mail. Ask the person who runs it for a link, which{' '}
      <code>rollcall member reset &lt;email&gt;</code> prints.
    </Text>
  );
}

function AskForm({ onAsked }: { onAsked(email: string): void }) {
  const { form, submit, problem, sending } = useCheckedForm({
    schema: ForgottenPasswordForm,
    initialValues: { email: typedEmail() },
    labels: {},
    send: async (values) => {
      await callConsole('POST', '/forgotten-password', values);
      onAsked(values.email);
    },
  });
  return (
    <form onSubmit={submit} noValidate>
      <Stack>
        <FormProblem message={problem} />
        <TextInput label="Your email" type="email" autoComplete="username" autoFocus {...form.getInputProps('email')} />
        <Button type="submit" loading={sending} fullWidth mt="xs">
          Mail me a link
        </Button>
      </Stack>
    </form>
  );
}
