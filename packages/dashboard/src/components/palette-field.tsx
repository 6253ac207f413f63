import './palette.css';
import { Text, TextInput, type TextInputProps } from '@mantine/core';
import { IconSearch } from '@tabler/icons-react';
import { type ReactNode, useLayoutEffect, useRef } from 'react';

const LABEL = 'Find a page, a client or an action';

interface PaletteFieldProps extends TextInputProps {
  value: string;
  onText(text: string): void;
}

/** The text field of the palette. It has the focus as soon as it is there, so that the next key is typed into it. */
export function PaletteField({ onText, ...props }: PaletteFieldProps) {
  const field = useRef<HTMLInputElement>(null);
  useLayoutEffect(() => field.current?.focus({ preventScroll: true }), []);
  return (
    <TextInput
      ref={field}
      data-autofocus
      aria-label={LABEL}
      placeholder={`${LABEL}…`}
      classNames={{ input: 'palette-input' }}
      variant="unstyled"
      size="md"
      leftSection={<IconSearch size={18} stroke={1.7} />}
      maxLength={200}
      onChange={(event) => onText(event.currentTarget.value)}
      {...props}
    />
  );
}

export function PaletteFooter({ children }: { children: ReactNode }) {
  return (
    <Text size="xs" c="dimmed" className="palette-footer">
      {children}
    </Text>
  );
}
