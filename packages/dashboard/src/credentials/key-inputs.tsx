import { Radio, Stack, Textarea, TextInput } from '@mantine/core';
import { useState } from 'react';
import type { Scope } from '#contract/credentials/keys.ts';
import type { InputProps } from '../use-checked-form.ts';
import { ACCESS, accessName } from './access.ts';
import { networksIn } from './networks-text.ts';
import { emptyLimitText } from './rate-limit-text.ts';

export function AccessInput({ value, onChange, error }: InputProps<readonly Scope[]>) {
  const choose = (name: string) => onChange(ACCESS.find(({ scopes }) => accessName(scopes) === name)?.scopes ?? value);
  return (
    <Radio.Group
      label="Access"
      description="What the program may do. It cannot be changed later; create another key instead."
      value={accessName(value)}
      onChange={choose}
      error={error}
    >
      <Stack gap="xs" mt={6}>
        {ACCESS.map(({ scopes, label, description }) => (
          <Radio key={label} value={accessName(scopes)} label={label} description={description} />
        ))}
      </Stack>
    </Radio.Group>
  );
}

export function NetworksInput({ value, onChange, error }: InputProps<string[]>) {
  const [text, setText] = useState(value.join('\n'));
  return (
    <Textarea
      label="Allowed addresses"
      description="The IP addresses or networks from which the key may be used, one per line. Leave it empty to allow all."
      placeholder={'203.0.113.7\n10.0.0.0/8'}
      autosize
      minRows={2}
      maxRows={8}
      spellCheck={false}
      value={text}
      onChange={({ currentTarget }) => {
        setText(currentTarget.value);
        onChange(networksIn(currentTarget.value));
      }}
      error={error}
    />
  );
}

export function NoteInput({ value, onChange, error }: InputProps<string>) {
  return (
    <Textarea
      label="Note"
      description="For example, where the key is stored and whom to ask about it."
      autosize
      minRows={2}
      maxRows={6}
      value={value}
      onChange={({ currentTarget }) => onChange(currentTarget.value)}
      error={error}
    />
  );
}

interface RateLimitInputProps extends InputProps<string | null> {
  defaultLimit: string | undefined;
}

export function RateLimitInput({ value, onChange, error, defaultLimit }: RateLimitInputProps) {
  return (
    <TextInput
      label="Rate limit"
      description={`A rate and a burst such as 500/s,1000 (per s, m or h), or 0 for no limit. ${emptyLimitText(defaultLimit)}`}
      placeholder="500/s,1000"
      autoComplete="off"
      value={value ?? ''}
      onChange={({ currentTarget }) => onChange(currentTarget.value.trim() === '' ? null : currentTarget.value)}
      error={error}
    />
  );
}
