import { PasswordInput, type PasswordInputProps, Text } from '@mantine/core';
import { isCommonPassword } from '#contract/members/passwords.ts';

interface NewPasswordFieldProps extends PasswordInputProps {
  minLength: number;
}

/** A field for choosing a password. It says while typing whether the password can be used, unless it shows an error. */
export function NewPasswordField({ minLength, ...props }: NewPasswordFieldProps) {
  const value = String(props.value ?? '');
  const missing = minLength - value.length;
  const advice =
    missing > 0
      ? `At least ${minLength} characters${value === '' ? '. A phrase of several unrelated words works well.' : `, ${missing} more to go.`}`
      : isCommonPassword(value)
        ? 'This password is too common and easy to guess.'
        : 'This password is long enough.';
  return (
    <PasswordInput
      autoComplete="new-password"
      description={
        !props.error && (
          <Text span inherit role="status">
            {advice}
          </Text>
        )
      }
      inputWrapperOrder={['label', 'input', 'description', 'error']}
      {...props}
    />
  );
}
