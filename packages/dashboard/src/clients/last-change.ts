import { useEffect, useEffectEvent, useSyncExternalStore } from 'react';
import { rememberedIds, rememberId } from './remembered-ids.ts';

/** The last change, as long as a message or the result of a change in the background tells of it. */
interface LastChange {
  /** That of the message or of the result. */
  id: string;
  /** Undoes the change, or says why that is not possible. Missing if what is shown says neither. */
  undo?: (() => void) | undefined;
}

/** The results after which something else was changed: their changes are not the last one any more, although they stay in sight. */
const FORMER_KEY = 'rollcall-former-results';

/** There is one, because there is one key that undoes it. */
let last: LastChange | undefined;
const listeners = new Set<() => void>();

/** The newest result of a change in the background, also while the page does not show it. */
let newestResult: string | undefined;

export function lastChange(): LastChange | undefined {
  return last;
}

export function setLastChange(change: LastChange | undefined): void {
  last = change;
  for (const listener of listeners) listener();
}

/** Whether the key is meant for this change. */
export function useIsLastChange(id: string): boolean {
  return useSyncExternalStore(subscribe, () => last?.id === id);
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

/** Says which result is the newest one, so that it is known whether something was changed after it. */
export function useNewestResult(id: string | undefined): void {
  useEffect(() => {
    newestResult = id;
  }, [id]);
}

/** While the result is shown, its change is the last one, unless something else was changed after it. */
export function useShownResult(id: string, undo: (() => void) | undefined): void {
  const undoNow = useEffectEvent(() => undo?.());
  useEffect(() => {
    if (rememberedIds(FORMER_KEY).includes(id)) return;
    setLastChange({ id, undo: () => undoNow() });
    return () => {
      if (last?.id === id) setLastChange(undefined);
    };
  }, [id]);
}

/** Something else is being changed. */
export function endLastChange(): void {
  if (newestResult !== undefined) rememberId(FORMER_KEY, newestResult);
  setLastChange(undefined);
}
