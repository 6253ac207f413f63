import type { BulkAnswer, BulkPatch } from '#contract/clients/bulk-changes.ts';
import { countText } from '../count-text.ts';
import { CANNOT_BE_UNDONE, tellChange } from './change-message.tsx';
import { whyNotPutBack } from './decision.ts';
import { deedOf } from './planned-change.ts';
import { useUndo } from './use-undo.ts';

/** Returns the function that says how many clients were changed, and offers to put them back. */
export function useTellChanged(): (answer: BulkAnswer, patch: BulkPatch) => void {
  const undo = useUndo();
  return ({ changed, refused, undo: change }, patch) => {
    if (changed === 0) return;
    const { past, to } = deedOf(patch);
    const rest = refused.length > 0 ? ` ${refused.length.toLocaleString()} not ${past}.` : '';
    const undoable = change?.reference_ids.length ?? 0;
    const whom = countText(changed, 'client', 'clients');
    const text = `${whom} ${past}${to}.${rest}`;
    if (!change && patch.request_status) {
      tellChange({ text: `${text} ${CANNOT_BE_UNDONE}`, whyNot: whyNotPutBack(whom, patch.request_status) });
    } else {
      tellChange({
        text,
        undo: change ? () => undo(change) : undefined,
        undoLabel: undoable < changed ? `Undo ${undoable.toLocaleString()} of them` : undefined,
      });
    }
  };
}
