import { notifications } from '@mantine/notifications';
import { useEffect, useRef } from 'react';
import { withFullStop } from '../full-stop.ts';
import { REQUEST_STATUS_LABELS } from '../labels.ts';
import { forgetChange, tellChange } from './change-message.tsx';
import { canBePutBack, type Decision, whomText } from './decision.ts';

/** Says what has happened. The next such message takes its place, so that they do not pile up. */
export function useReviewMessage() {
  const plain = useRef<string>(undefined);
  const lastDecision = useRef<Decision>(undefined);

  const forgetDecision = () => {
    lastDecision.current = undefined;
    forgetChange();
  };
  // It goes with the page, because the undo brings the clients back to the list of the page.
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
      plain.current = notifications.show({ message: withFullStop(message) });
    },
    tellDecided: (decision: Decision, undo: () => void) => {
      const isLast = lastDecision.current === decision;
      tellChange({
        text: withFullStop(`${REQUEST_STATUS_LABELS[decision.status]}: ${whomText(decision.changed)}`),
        undo: isLast && canBePutBack(decision) ? undo : undefined,
        onGone: () => {
          if (lastDecision.current === decision) lastDecision.current = undefined;
        },
      });
    },
  };
}
