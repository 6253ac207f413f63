import { TextInput, type TextInputProps } from '@mantine/core';
import { type Ref, useState } from 'react';
import { REASON_MAX_LENGTH } from '#contract/clients/clients.ts';
import { ApiError } from '../api.ts';
import { fieldOf } from '../field-label.ts';
import type { ReasonDraft } from './reason-drafts.ts';

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

/**
 * The reason for the next change, which begins with what was typed before, if there is a draft of it. When the console refuses
 * it, because an account may require one, the field says so.
 */
export function useReason(draft?: ReasonDraft) {
  const [value, setValue] = useState(() => draft?.text() ?? '');
  const change = (text: string) => {
    setValue(text);
    draft?.keep(text);
  };
  const [error, setError] = useState<string>();
  const sendWithReason = async <Data,>(
    send: (reason: string | undefined) => Promise<Data>,
    given = value,
  ): Promise<Data | undefined> => {
    setError(undefined);
    try {
      const data = await send(given.trim() || undefined);
      change('');
      return data;
    } catch (problem) {
      if (!(problem instanceof ApiError) || fieldOf(problem.consoleMessage) !== 'reason') throw problem;
      setError(problem.message);
      return undefined;
    }
  };
  return { value, error, onChange: change, sendWithReason };
}
