import { Button, Group } from '@mantine/core';
import { notifications } from '@mantine/notifications';
import { useEffect, useRef } from 'react';
import { REQUEST_STATUS_LABELS } from '../labels.ts';
import { canBePutBack, type Decision, whomText } from './decision.ts';

/** As long as the last decision can be undone. */
const SHOWN_MS = 10_000;

/** Says what has happened. The next such message takes its place, so that they do not pile up. */
export function useReviewMessage() {
  const plain = useRef<string>(undefined);
  const ofDecision = useRef<string>(undefined);
  const lastDecision = useRef<Decision>(undefined);

  const forgetDecision = () => {
    lastDecision.current = undefined;
    if (ofDecision.current !== undefined) notifications.hide(ofDecision.current);
  };
  // On other pages, the key of the message would do nothing.
  useEffect(() => forgetDecision, []);

  return {
    /** The last decision, until the message about it has gone. */
    lastDecision: () => lastDecision.current,
    forgetDecision,
    begin: (decision: Decision) => {
      forgetDecision();
      lastDecision.current = decision;
    },
    tell: (message: string) => {
      if (plain.current !== undefined) notifications.hide(plain.current);
      plain.current = notifications.show({ message });
    },
    tellDecided: (decision: Decision, undo: () => void) => {
      const text = `${REQUEST_STATUS_LABELS[decision.status]}: ${whomText(decision.changed)}.`;
      const canUndo = lastDecision.current === decision && canBePutBack(decision);
      if (ofDecision.current !== undefined) notifications.hide(ofDecision.current);
      ofDecision.current = notifications.show({
        message: canUndo ? <UndoMessage text={text} onUndo={undo} /> : text,
        autoClose: SHOWN_MS,
        onClose: () => {
          if (lastDecision.current === decision) lastDecision.current = undefined;
        },
      });
    },
  };
}

function UndoMessage({ text, onUndo }: { text: string; onUndo(): void }) {
  return (
    <Group justify="space-between" gap="sm" wrap="nowrap">
      <span>{text}</span>
      <Button
        size="compact-xs"
        variant="default"
        flex="none"
        onClick={onUndo}
        rightSection={<kbd className="key-hint">u</kbd>}
      >
        Undo
      </Button>
    </Group>
  );
}
