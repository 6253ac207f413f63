import type { BulkChangeRecord } from '#contract/clients/bulk-changes.ts';

/** Long enough to read it. */
const DONE_SHOWN_MS = 60_000;

/** What can be undone, or was not done, is shown until its member closes it, or has long gone on to other work. */
const OPEN_SHOWN_MS = 3_600_000;

type Counts = Pick<BulkChangeRecord, 'undoes' | 'total_count' | 'changed' | 'refused'>;
type Result = Counts & Pick<BulkChangeRecord, 'state' | 'undoable'>;

/** How long the result of a change in the background is shown, unless its member closes it. */
export function resultShownMs(change: Result): number {
  return isDone(change) ? DONE_SHOWN_MS : OPEN_SHOWN_MS;
}

/** Whether it offers nothing and reports nothing but success, so that whoever has seen it need not see it again. */
export function isDone(change: Result): boolean {
  const { state, undoable, refused } = change;
  return state === 'completed' && undoable === 0 && refused === 0 && leftAloneBy(change) === 0;
}

/** How many clients an undo that is over has not put back, because somebody has changed them since. */
export function leftAloneBy({ undoes, total_count: total, changed, refused }: Counts): number {
  return undoes === null ? 0 : total - changed - refused;
}
