import { notifications } from '@mantine/notifications';
import { useEffect, useRef } from 'react';
import { withFullStop } from '../full-stop.ts';
import { beginChange, forgetChange, tellChange } from './change-message.tsx';

/** A decision or an assignment, for which `u` is meant until the next one. */
export interface ReviewChange {
  /** Puts the clients back, or says why that is not possible. */
  undo(): void;
}

/** Says what has happened. The next such message takes its place, so that they do not pile up. */
export function useReviewMessage() {
  const plain = useRef<string>(undefined);
  const last = useRef<ReviewChange>(undefined);

  const forget = () => {
    last.current = undefined;
    forgetChange();
  };
  // It goes with the page, because the undo brings the clients back to the list of the page.
  useEffect(() => forget, []);

  return {
    /** The last change, until the message about it has gone. */
    lastChange: () => last.current,
    forget,
    begin: (change: ReviewChange) => {
      beginChange();
      last.current = change;
    },
    tell: (message: string) => {
      if (plain.current !== undefined) notifications.hide(plain.current);
      plain.current = notifications.show({ message: withFullStop(message) });
    },
    tellChanged: (change: ReviewChange, message: string, canBeUndone: boolean) => {
      const isLast = last.current === change;
      tellChange({
        text: withFullStop(message),
        undo: isLast && canBeUndone ? change.undo : undefined,
        onGone: () => {
          if (last.current === change) last.current = undefined;
        },
      });
    },
  };
}
