import { Button, PasswordInput, Stack } from '@mantine/core';
import { notifications } from '@mantine/notifications';
import { PASSWORD_MIN_LENGTH, PASSWORD_MIN_LENGTH_WITH_SECOND_FACTOR } from '#contract/members/passwords.ts';
import { ChangePasswordForm } from '#contract/members/profile.ts';
import { FormProblem } from '../components/form-problem.tsx';
import { Section } from '../components/section.tsx';
import { useChange } from '../use-change.ts';
import { useCheckedForm } from '../use-checked-form.ts';
import { PasswordField } from './password-field.tsx';

export function PasswordSection({ hasSecondFactor }: { hasSecondFactor: boolean }) {
  const change = useChange();
  const { form, submit, problem, sending } = useCheckedForm({
    schema: ChangePasswordForm,
    initialValues: { password: '', new_password: '' },
    labels: { password: 'The password', new_password: 'The new password' },
    send: async (values) => {
      await change('PUT', '/profile/password', values);
      form.reset();
      notifications.show({ message: 'The password was changed. Your other browsers were signed out.' });
    },
  });
  return (
    <Section title="Password" lead="Changing it signs out your other browsers.">
      <form onSubmit={submit} noValidate>
        <Stack maw={380}>
          <FormProblem message={problem} />
          <PasswordInput label="Current password" autoComplete="current-password" {...form.getInputProps('password')} />
          <PasswordField
            label="New password"
            minLength={hasSecondFactor ? PASSWORD_MIN_LENGTH_WITH_SECOND_FACTOR : PASSWORD_MIN_LENGTH}
            {...form.getInputProps('new_password')}
          />
          <Button type="submit" loading={sending} style={{ alignSelf: 'flex-start' }}>
            Change password
          </Button>
        </Stack>
      </form>
    </Section>
  );
}
