import { Button, Group } from '@mantine/core';
import { notifications } from '@mantine/notifications';

const SHOWN_MS = 10_000;
/** Longer, because somebody may want to undo the change. */
const UNDO_SHOWN_MS = 15_000;

interface ChangeMessage {
  text: string;
  /** Puts the clients back. Missing if that is not allowed. */
  undo?: (() => void) | undefined;
  /** That of the button. */
  undoLabel?: string | undefined;
  /** When the message has gone, for whatever reason. */
  onGone?(): void;
}

/** The message about the last change. There is one, because there is one key that undoes what it is about. */
let last: { id: string; undo: (() => void) | undefined } | undefined;

/** Says what was changed, and offers to undo it with a button and a key, as long as the message is shown. */
export function tellChange({ text, undo, undoLabel = 'Undo', onGone }: ChangeMessage): void {
  forgetChange();
  const id = notifications.show({
    message: undo ? <UndoMessage text={text} label={undoLabel} /> : text,
    autoClose: undo ? UNDO_SHOWN_MS : SHOWN_MS,
    onClose: () => {
      if (last?.id === id) last = undefined;
      onGone?.();
    },
  });
  last = { id, undo };
}

/** Must be called before the next change, so that the key never undoes the one before it. */
export function forgetChange(): void {
  const former = last;
  last = undefined;
  if (former) notifications.hide(former.id);
}

/** Undoes the last change, as long as its message offers it. */
export function undoLastChange(): void {
  const undo = last?.undo;
  if (!undo) return;
  forgetChange();
  undo();
}

function UndoMessage({ text, label }: { text: string; label: string }) {
  return (
    <Group justify="space-between" gap="sm" wrap="nowrap">
      <span>{text}</span>
      <Button
        size="compact-xs"
        variant="default"
        flex="none"
        onClick={undoLastChange}
        rightSection={<kbd className="key-hint">u</kbd>}
      >
        {label}
      </Button>
    </Group>
  );
}
