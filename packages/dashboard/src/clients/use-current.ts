import { useCallback, useEffect, useRef, useState } from 'react';
import type { WaitingRecord } from '#contract/clients/review.ts';
import { idOf } from './use-review-queue.ts';

/** The client that the keys apply to. If it leaves the list, the one that takes its place is current. */
export function useCurrent(items: WaitingRecord[]) {
  const [id, setId] = useState<string>();
  const place = useRef(0);
  const paintedId = useRef<string>(undefined);
  const rows = useRef(new Map<string, HTMLElement>());
  const takesFocus = useRef(false);
  const awaited = useRef<string>(undefined);
  const found = items.findIndex((item) => idOf(item) === id);
  const index = found >= 0 ? found : Math.min(place.current, items.length - 1);
  const item = items[index];
  const shown = item && idOf(item);

  useEffect(() => {
    place.current = Math.max(0, index);
    if (shown === id) awaited.current = undefined;
    if (shown === id || awaited.current === id) return;
    setId(shown);
  }, [index, shown, id]);

  // The second frame begins when the first has been painted.
  useEffect(() => {
    let frame = requestAnimationFrame(() => {
      frame = requestAnimationFrame(() => {
        paintedId.current = shown;
      });
    });
    return () => cancelAnimationFrame(frame);
  }, [shown]);

  useEffect(() => {
    if (shown === undefined || !takesFocus.current || awaited.current !== undefined) return;
    takesFocus.current = false;
    const row = rows.current.get(shown);
    row?.focus({ preventScroll: true });
    row?.scrollIntoView({ block: 'nearest' });
  });

  return {
    item,
    index,
    /** Whether the member has been able to see that it is current. A key that was pressed before may be meant for another one. */
    isSeen: () => shown !== undefined && paintedId.current === shown,
    choose: setId,
    /** As soon as it is in the list, to which it comes back. */
    awaitBack: (wanted: string) => {
      awaited.current = wanted;
      takesFocus.current = true;
      setId(wanted);
    },
    /** Also moves the focus there. */
    move: (by: 1 | -1) => {
      const next = items[index + by];
      if (!next) return;
      takesFocus.current = true;
      setId(idOf(next));
    },
    /** With the next rendering, whichever client is current then. */
    focus: () => {
      takesFocus.current = true;
    },
    keepRow: useCallback((rowId: string, row: HTMLElement | null) => {
      if (row) rows.current.set(rowId, row);
      else rows.current.delete(rowId);
    }, []),
  };
}
