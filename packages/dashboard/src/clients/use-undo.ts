import type { BulkAnswer, UndoForm } from '#contract/clients/bulk-changes.ts';
import { useEnvironment } from '../environment.ts';
import { notifyOnError } from '../notify-on-error.ts';
import { useSendChange } from '../use-send-change.ts';
import { tellChange } from './change-message.tsx';
import { putBackText } from './put-back-text.ts';

/** Returns the function that puts clients back to what they were before a change, and says so. */
export function useUndo(): (change: UndoForm, onlyName?: string) => void {
  const environment = useEnvironment();
  const sendChange = useSendChange();
  const undo = async (change: UndoForm, onlyName: string | undefined) => {
    const answer = await sendChange<BulkAnswer>('POST', `/${environment}/clients/changes/undo`, change);
    tellChange({ text: putBackText(answer, onlyName) });
  };
  return (change, onlyName) => void notifyOnError(undo(change, onlyName));
}
