import { useCallback, useEffect, useRef, useState } from 'react';
import type { WaitingRecord } from '#contract/clients/review.ts';
import { idOf } from './use-review-queue.ts';

/** The client that the keys apply to. If it leaves the list, the next one that is still there is current. */
export function useCurrent(items: WaitingRecord[]) {
  const [id, setId] = useState<string>();
  const order = useRef<string[]>([]);
  const paintedId = useRef<string>(undefined);
  const rows = useRef(new Map<string, HTMLElement>());
  const takesFocus = useRef(false);
  const awaited = useRef<string>(undefined);
  const ids = items.map(idOf);
  const index = placeOf(id, order.current, ids);
  const item = items[index];
  const shown = item && idOf(item);

  useEffect(() => {
    order.current = ids;
    if (shown === awaited.current) awaited.current = undefined;
    const isBack = awaited.current !== undefined && ids.includes(awaited.current);
    const wanted = isBack ? awaited.current : shown;
    if (wanted !== id) setId(wanted);
  });

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
    if (shown === undefined || shown !== id || !takesFocus.current || awaited.current !== undefined) return;
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
      takesFocus.current = true;
      if (order.current.includes(wanted)) setId(wanted);
      else awaited.current = wanted;
    },
    /** Also moves the focus there. */
    move: (by: 1 | -1) => {
      const next = items[index + by];
      if (!next) return;
      awaited.current = undefined;
      takesFocus.current = true;
      setId(idOf(next));
    },
    /** With the next rendering, whichever client is current then. */
    focus: () => {
      awaited.current = undefined;
      takesFocus.current = true;
    },
    keepRow: useCallback((rowId: string, row: HTMLElement | null) => {
      if (row) rows.current.set(rowId, row);
      else rows.current.delete(rowId);
    }, []),
  };
}

/** The place of the client, or of the next one in the former order that is still there, or else of the last one. */
function placeOf(id: string | undefined, former: readonly string[], ids: readonly string[]): number {
  if (id === undefined) return 0;
  const found = ids.indexOf(id);
  if (found >= 0) return found;
  const left = new Set(ids);
  const next = former.slice(former.indexOf(id) + 1).find((each) => left.has(each));
  return next === undefined ? ids.length - 1 : ids.indexOf(next);
}
