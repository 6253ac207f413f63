import { Textarea } from '@mantine/core';
import { type KeyboardEvent, type Ref, useLayoutEffect, useRef } from 'react';
import { REASON_MAX_LENGTH } from '#contract/clients/clients.ts';

interface ReasonAreaProps {
  /** What is said about the reason before the keys. */
  description: string;
  isRequired: boolean;
  /** Whether everything can be undone that the dialog does. */
  canUndo: boolean;
  value: string;
  error: string | undefined;
  onChange(value: string): void;
  onConfirm(): void;
}

/** The reason in a dialog that asks before a change. Enter is enough for what can be undone; what cannot be takes Ctrl/⌘ Enter. */
export function ReasonArea(props: ReasonAreaProps) {
  const { description, isRequired, canUndo, value, error, onChange, onConfirm } = props;
  const confirmOnEnter = (event: KeyboardEvent) => {
    if (event.key !== 'Enter' || event.nativeEvent.isComposing) return;
    // Whoever wants a new line must not change anything for good by it.
    const confirms = event.ctrlKey || event.metaKey || (canUndo && !event.shiftKey);
    if (!confirms) return;
    event.preventDefault();
    if (!event.repeat) onConfirm();
  };
  return (
    <Textarea
      ref={useFocusAtOnce()}
      label={isRequired ? 'Reason' : 'Reason (optional)'}
      description={
        <>
          {description}{' '}
          <span className="keyboard-only">{canUndo ? 'Shift+Enter starts a new line.' : 'Ctrl/⌘ Enter confirms.'}</span>
        </>
      }
      required={isRequired}
      autosize
      minRows={2}
      maxRows={8}
      maxLength={REASON_MAX_LENGTH}
      autoComplete="off"
      value={value}
      error={error}
      onKeyDown={confirmOnEnter}
      onChange={(event) => onChange(event.currentTarget.value)}
      data-autofocus
    />
  );
}

/**
 * Because the next key may follow before the dialog moves the focus by itself. Never to the button: the first space of a reason
 * would press it, and the letters after it would be shortcuts for the next client.
 */
function useFocusAtOnce(): Ref<HTMLTextAreaElement> {
  const field = useRef<HTMLTextAreaElement>(null);
  useLayoutEffect(() => {
    field.current?.focus();
    // What was typed before goes on at its end.
    field.current?.setSelectionRange(REASON_MAX_LENGTH, REASON_MAX_LENGTH);
  }, []);
  return field;
}
