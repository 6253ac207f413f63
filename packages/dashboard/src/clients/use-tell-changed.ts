import type { BulkAnswer } from '#contract/clients/bulk-changes.ts';
import { countText } from '../count-text.ts';
import { tellChange } from './change-message.tsx';
import { useUndo } from './use-undo.ts';

/** Returns the function that says how many clients were changed, and offers to put them back. */
export function useTellChanged(): (answer: BulkAnswer, deed: { past: string; to: string }) => void {
  const undo = useUndo();
  return ({ changed, refused, undo: change }, { past, to }) => {
    if (changed === 0) return;
    const rest = refused.length > 0 ? ` ${refused.length.toLocaleString()} not ${past}.` : '';
    const undoable = change?.reference_ids.length ?? 0;
    tellChange({
      text: `${countText(changed, 'client', 'clients')} ${past}${to}.${rest}`,
      undo: change ? () => undo(change) : undefined,
      undoLabel: undoable < changed ? `Undo ${undoable.toLocaleString()} of them` : undefined,
    });
  };
}
