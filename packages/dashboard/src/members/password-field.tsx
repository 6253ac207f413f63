import { PasswordInput, type PasswordInputProps, Text } from '@mantine/core';
import { isCommonPassword } from '#contract/members/passwords.ts';

interface PasswordFieldProps extends PasswordInputProps {
  minLength: number;
}

/** A password that is being chosen: says at once whether it will do. */
export function PasswordField({ minLength, ...props }: PasswordFieldProps) {
  const value = String(props.value ?? '');
  const missing = minLength - value.length;
  const advice =
    missing > 0
      ? `At least ${minLength} characters${value === '' ? '. A few words that belong together only for you work well.' : `: ${missing} to go.`}`
      : isCommonPassword(value)
        ? 'Many people use this one, so it is guessed first.'
        : 'Long enough.';
  return (
    <PasswordInput
      autoComplete="new-password"
      description={
        <Text span inherit role="status">
          {advice}
        </Text>
      }
      inputWrapperOrder={['label', 'input', 'description', 'error']}
      {...props}
    />
  );
}
