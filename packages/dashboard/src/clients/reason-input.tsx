import { TextInput, type TextInputProps } from '@mantine/core';
import { type Ref, useState } from 'react';
import { REASON_MAX_LENGTH } from '#contract/clients/clients.ts';
import { ApiError } from '../api.ts';
import { fieldOf } from '../field-label.ts';

interface ReasonInputProps extends Omit<TextInputProps, 'value' | 'onChange'> {
  ref?: Ref<HTMLInputElement>;
  value: string;
  onChange(value: string): void;
}

export function ReasonInput({ onChange, ...props }: ReasonInputProps) {
  return (
    <TextInput
      autoComplete="off"
      maxLength={REASON_MAX_LENGTH}
      onChange={(event) => onChange(event.currentTarget.value)}
      {...props}
    />
  );
}

/** As the service says it. */
export const REASON_MISSING = 'Reason is missing: the account requires one to decline a client.';

export function reasonLabel(isRequired: boolean): string {
  return isRequired ? 'Reason' : 'Reason (optional)';
}

/** The reason for the next change. When the console refuses it, because an account may require one, the field says so. */
export function useReason() {
  const [value, setValue] = useState('');
  const [error, setError] = useState<string>();
  const sendWithReason = async <Data,>(
    send: (reason: string | undefined) => Promise<Data>,
    given = value,
  ): Promise<Data | undefined> => {
    setError(undefined);
    try {
      const data = await send(given.trim() || undefined);
      setValue('');
      return data;
    } catch (problem) {
      if (!(problem instanceof ApiError) || fieldOf(problem.consoleMessage) !== 'reason') throw problem;
      setError(problem.message);
      return undefined;
    }
  };
  return { value, error, onChange: setValue, sendWithReason };
}
