import { Button, Group, Stack, Text, TextInput } from '@mantine/core';
import { type FormEvent, type KeyboardEvent, type ReactNode, useState } from 'react';
import { ApiError } from '../api.ts';
import { Dialog } from './dialog.tsx';
import { FormProblem } from './form-problem.tsx';

interface ConfirmDialogProps {
  title: string;
  children: ReactNode;
  /** The text that has to be typed first, for actions that cannot be undone. */
  requiredText?: string;
  action: string;
  onConfirm(): Promise<void>;
  onClose(): void;
}

/** Explains what an action does, and runs it only after the member has confirmed it. */
export function ConfirmDialog({ title, children, requiredText, action, onConfirm, onClose }: ConfirmDialogProps) {
  const [text, setText] = useState('');
  const [problem, setProblem] = useState<string>();
  const [sending, setSending] = useState(false);
  const isTyped = requiredText === undefined || text === requiredText;

  const submit = async (event: FormEvent) => {
    event.preventDefault();
    // A form that a key sends does not ask whether its button is disabled.
    if (sending || !isTyped) return;
    setSending(true);
    setProblem(undefined);
    try {
      await onConfirm();
      onClose();
    } catch (error) {
      if (!(error instanceof ApiError)) throw error;
      setProblem(error.message);
    } finally {
      setSending(false);
    }
  };

  return (
    <Dialog onClose={onClose} title={title} closeOnEscape={!sending}>
      <form onSubmit={submit} onKeyDown={sendOnCtrlEnter}>
        <Stack>
          <Text size="sm" component="div">
            {children}
          </Text>
          <FormProblem message={problem} />
          {requiredText !== undefined && (
            <TextInput
              label={
                <>
                  Type <b>{requiredText}</b> to confirm
                </>
              }
              value={text}
              onChange={(event) => setText(event.currentTarget.value)}
              autoComplete="off"
              data-autofocus
            />
          )}
          <Group justify="flex-end">
            {requiredText === undefined && (
              <Text size="xs" c="dimmed" className="keyboard-only">
                Ctrl/⌘ Enter confirms.
              </Text>
            )}
            <Button variant="default" onClick={onClose} data-autofocus={requiredText === undefined ? true : undefined}>
              Cancel
            </Button>
            <Button type="submit" color="red.8" loading={sending} disabled={!isTyped}>
              {action}
            </Button>
          </Group>
        </Stack>
      </form>
    </Dialog>
  );
}

/** Enter alone, pressed once too often, must not do what may not be possible to undo: it cancels. */
function sendOnCtrlEnter(event: KeyboardEvent<HTMLFormElement>) {
  if (event.key !== 'Enter' || !(event.ctrlKey || event.metaKey)) return;
  event.preventDefault();
  if (!event.repeat) event.currentTarget.requestSubmit();
}
