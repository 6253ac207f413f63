import { Button, PasswordInput, Stack } from '@mantine/core';
import { notifications } from '@mantine/notifications';
import { PASSWORD_MIN_LENGTH, PASSWORD_MIN_LENGTH_WITH_SECOND_FACTOR } from '#contract/members/passwords.ts';
import { ChangePasswordForm, ChangePasswordFormWithoutSecondFactor } from '#contract/members/profile.ts';
import { FormProblem } from '../components/form-problem.tsx';
import { Section } from '../components/section.tsx';
import { useCheckedForm } from '../use-checked-form.ts';
import { useSendChange } from '../use-send-change.ts';
import { NewPasswordField } from './new-password-field.tsx';

export function PasswordSection({ hasSecondFactor }: { hasSecondFactor: boolean }) {
  const sendChange = useSendChange();
  const { form, submit, problem, sending } = useCheckedForm({
    schema: hasSecondFactor ? ChangePasswordForm : ChangePasswordFormWithoutSecondFactor,
    initialValues: { password: '', new_password: '' },
    labels: { password: 'Current password' },
    send: async (values) => {
      await sendChange('PUT', '/profile/password', values);
      form.reset();
      notifications.show({ message: 'Your password was changed. Your other browsers were signed out.' });
    },
  });
  return (
    <Section title="Password" description="Changing your password signs out your other browsers.">
      <form onSubmit={submit} noValidate>
        <Stack maw={380}>
          <FormProblem message={problem} />
          <PasswordInput label="Current password" autoComplete="current-password" {...form.getInputProps('password')} />
          <NewPasswordField
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
