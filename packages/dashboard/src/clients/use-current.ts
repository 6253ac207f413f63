import { useCallback, useEffect, useLayoutEffect, useMemo, useRef, useState } from 'react';
import type { WaitingRecord } from '#contract/clients/review.ts';
import { focusHeading } from '../components/focus-heading.ts';
import { isFocusLost } from '../components/is-focus-lost.ts';
import { type CurrentClient, inList } from './current-client.ts';
import { idOf } from './use-review-queue.ts';

interface CurrentOptions {
  /** The client with which to begin, instead of the first one. */
  start: CurrentClient | undefined;
  /** Whether the details of the client are below its row, and not beside the list. */
  hasDetailsBelow: boolean;
}

/** The client that the keys apply to. If it leaves the list, the next one that is still there is current. */
export function useCurrent(items: WaitingRecord[], { start, hasDetailsBelow }: CurrentOptions) {
  const ids = useMemo(() => items.map(idOf), [items]);
  const [kept, setKept] = useState<CurrentClient>(start ?? { ids: [], id: undefined });
  // At once, so that a key never finds a client that has left the list.
  const current = kept.ids === ids ? kept : inList(kept, ids);
  if (current !== kept) setKept(current);
  const { id } = current;
  const index = id === undefined ? -1 : ids.indexOf(id);
  const { isSeen, expectChange } = useSeen(id);
  const { focus, keepRow } = useRowFocus(id, { isWantedAtFirst: start !== undefined, hasDetailsBelow });

  const become = (next: string) => {
    expectChange();
    setKept({ ids, id: next });
  };
  return {
    item: items[index],
    index,
    isSeen,
    choose: (next: string) => {
      // The details of the former client go, and with them everything below moves up.
      if (hasDetailsBelow) focus();
      become(next);
    },
    /** As soon as it is in the list, to which it comes back, unless the member goes on with another one before. */
    awaitBack: (awaited: string | undefined) => setKept((now) => ({ ...now, awaited })),
    /** Also moves the focus there. */
    move: (by: 1 | -1) => {
      const next = ids[index + by];
      if (next === undefined) return;
      focus();
      become(next);
    },
    /** The member goes on, with this client or with the next one if this one leaves the list. */
    goOn: () => {
      expectChange();
      setKept((now) => ({ ...now, awaited: undefined }));
    },
    focus,
    keepRow,
  };
}

/**
 * Whether the member has been able to see that the client is current. If the list has changed by itself, a key that was
 * pressed right then may be meant for another one. Where the own key leads, the member knows.
 */
function useSeen(id: string | undefined) {
  const seenId = useRef<string>(undefined);
  const isExpected = useRef(false);
  useLayoutEffect(() => {
    if (isExpected.current) seenId.current = id;
    isExpected.current = false;
  });
  useEffect(() => {
    // The second frame begins when the first has been painted.
    let frame = requestAnimationFrame(() => {
      frame = requestAnimationFrame(() => {
        seenId.current = id;
      });
    });
    return () => cancelAnimationFrame(frame);
  }, [id]);
  return {
    isSeen: () => id !== undefined && seenId.current === id,
    /** If another client is current with the next rendering, the member has made it so. */
    expectChange: () => {
      isExpected.current = true;
    },
  };
}

/** Moves the focus to the row of the current client when that is wanted, and with the current client if its row had it. */
function useRowFocus(
  id: string | undefined,
  { isWantedAtFirst, hasDetailsBelow }: { isWantedAtFirst: boolean; hasDetailsBelow: boolean },
) {
  const rows = useRef(new Map<string, HTMLElement>());
  const isWanted = useRef(isWantedAtFirst);
  const formerId = useRef(id);
  useLayoutEffect(() => {
    const former = formerId.current;
    formerId.current = id;
    const focused = document.activeElement;
    // A row that has left the page takes the focus with it.
    const hadFocus = former !== undefined && (isFocusLost() || focused === rows.current.get(former));
    if (!isWanted.current && (former === id || !hadFocus)) return;
    isWanted.current = false;
    const row = id === undefined ? undefined : rows.current.get(id);
    if (!row) return focusHeading();
    row.focus({ preventScroll: true });
    row.scrollIntoView({ block: hasDetailsBelow ? 'start' : 'nearest' });
  });
  return {
    /** With the next rendering, whichever client is current then. */
    focus: () => {
      isWanted.current = true;
    },
    keepRow: useCallback((rowId: string, row: HTMLElement | null) => {
      if (row) rows.current.set(rowId, row);
      else rows.current.delete(rowId);
    }, []),
  };
}
