import { Group } from '@mantine/core';
import { randomId } from '@mantine/hooks';
import { notifications } from '@mantine/notifications';
import { endLastChange, lastChange, setLastChange } from './last-change.ts';
import { UndoButton } from './undo-button.tsx';

const SHOWN_MS = 10_000;
/** Longer, because somebody may want to undo the change. */
const UNDO_SHOWN_MS = 15_000;

export const CANNOT_BE_UNDONE = 'This cannot be undone.';

interface ChangeMessage {
  text: string;
  /** Puts the clients back. Missing if that is not allowed. */
  undo?: (() => void) | undefined;
  /** That of the button. */
  undoLabel?: string | undefined;
  /** Why that is not allowed, as a sentence, if the message says so. */
  whyNot?: string | undefined;
  /** When the message has gone, for whatever reason. */
  onGone?(): void;
}

/** The message that is shown. */
let shown: string | undefined;

/** Says what was changed, and offers to undo it with a button and a key, as long as the message is shown. */
export function tellChange({ text, undo, undoLabel = 'Undo', whyNot, onGone }: ChangeMessage): void {
  beginChange();
  const id = randomId();
  const undoOnce = () => {
    forgetChange();
    undo?.();
  };
  notifications.show({
    id,
    message: undo ? <UndoMessage id={id} text={text} label={undoLabel} onUndo={undoOnce} /> : text,
    autoClose: undo ? UNDO_SHOWN_MS : SHOWN_MS,
    onClose: () => {
      if (shown === id) shown = undefined;
      if (lastChange()?.id === id) setLastChange(undefined);
      onGone?.();
    },
  });
  shown = id;
  const refuse = whyNot === undefined ? undefined : () => tellNothingUndone(whyNot);
  setLastChange({ id, undo: undo ? undoOnce : refuse });
}

export function tellNothingUndone(whyNot: string): void {
  notifications.show({ id: 'nothing-undone', message: `Nothing was undone: ${whyNot}` });
}

/** Must be called before each change, so that the key never undoes the one before it. */
export function beginChange(): void {
  endLastChange();
  hideMessage();
}

/** Takes the message away, and with it what the key undoes. */
export function forgetChange(): void {
  setLastChange(undefined);
  hideMessage();
}

function hideMessage(): void {
  const former = shown;
  shown = undefined;
  if (former !== undefined) notifications.hide(former);
}

/** Undoes the last change as long as a message offers it, or says why that is not possible. */
export function undoLastChange(): void {
  lastChange()?.undo?.();
}

function UndoMessage({ id, text, label, onUndo }: { id: string; text: string; label: string; onUndo(): void }) {
  return (
    <Group justify="space-between" gap="sm" wrap="nowrap">
      <span>{text}</span>
      <UndoButton changeId={id} onClick={onUndo}>
        {label}
      </UndoButton>
    </Group>
  );
}
