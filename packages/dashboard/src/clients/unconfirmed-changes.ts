import { useMemo, useSyncExternalStore } from 'react';
import type { WaitingRecord } from '#contract/clients/review.ts';
import type { Environment } from '#contract/environments.ts';
import { useEnvironment } from '../environment.ts';
import { idOf } from './use-review-queue.ts';

/** A change of clients in the review that is shown already, although the service has not answered yet. */
export interface UnconfirmedChange {
  environment: Environment;
  ids: ReadonlySet<string>;
  /** What is shown of such a client. Undefined if it has left the list. */
  apply(item: WaitingRecord): WaitingRecord | undefined;
}

// Not part of a page, because what was decided is also sent after the member has left the page.
let changes: readonly UnconfirmedChange[] = [];
let lastSent: Promise<unknown> = Promise.resolve();
const listeners = new Set<() => void>();

/** Does the work when all that was begun before has ended, well or not. */
export function inTurn<Result>(work: () => Promise<Result>): Promise<Result> {
  const done = lastSent.then(work, work);
  lastSent = done;
  return done;
}

/** Shows the change at once, and until the work has ended, which sends it and notes in the list what became of it. */
export async function changeInTurn(change: UnconfirmedChange, work: () => Promise<void>): Promise<void> {
  setChanges([...changes, change]);
  try {
    await inTurn(work);
  } finally {
    setChanges(changes.filter((each) => each !== change));
  }
}

function setChanges(next: readonly UnconfirmedChange[]): void {
  changes = next;
  for (const listener of listeners) listener();
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

function useUnconfirmedChanges(): readonly UnconfirmedChange[] {
  return useSyncExternalStore(subscribe, () => changes);
}

/** Whether something would be lost if the browser closed the page now. */
export function useIsSending(): boolean {
  return useUnconfirmedChanges().length > 0;
}

/** The clients as they will be when the service has made all changes. */
export function useAsChanged(items: WaitingRecord[]): WaitingRecord[] {
  const environment = useEnvironment();
  const all = useUnconfirmedChanges();
  return useMemo(() => {
    const own = all.filter((change) => change.environment === environment);
    return own.length === 0 ? items : items.flatMap((item) => applyAll(item, own) ?? []);
  }, [items, all, environment]);
}

function applyAll(item: WaitingRecord, own: readonly UnconfirmedChange[]): WaitingRecord | undefined {
  const id = idOf(item);
  return own.reduce<WaitingRecord | undefined>(
    (now, change) => (now && change.ids.has(id) ? change.apply(now) : now),
    item,
  );
}
