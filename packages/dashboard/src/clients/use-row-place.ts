import { useLayoutEffect, useRef } from 'react';
import { focusHeading } from '../components/focus-heading.ts';
import { isFocusLost } from '../components/is-focus-lost.ts';
import { type CurrentClient, inList } from './current-client.ts';
import { focusedRow, focusRow } from './list-rows.ts';

/** Where the member is in the list, also while something else has the focus. */
export interface RowPlace {
  /** To be called when a client gets the focus. */
  keep(): void;
  /** Moves the focus to the next client or the previous one. */
  step(by: 1 | -1): void;
  /** Puts the focus back on the client that had it last, or on the nearest one if that has left the list. */
  focus(): void;
}

/** The place belongs to the page of the list. `ids` are the clients that are shown, by their references. */
export function useRowPlace(page: string, ids: readonly string[] = []): RowPlace {
  const kept = useRef<CurrentClient & { page: string }>(undefined);
  const nearest = () => {
    const { id } = kept.current?.page === page ? inList(kept.current, ids) : {};
    return id === undefined ? -1 : ids.indexOf(id);
  };
  const isThere = () => kept.current?.id !== undefined && ids.includes(kept.current.id);
  useLayoutEffect(() => {
    // A client that leaves the list takes the focus with it.
    const row = nearest();
    if (row >= 0 && !isThere() && isFocusLost()) focusRow(row, { preventScroll: true });
  }, [ids]);
  return {
    keep: () => {
      const id = ids[focusedRow()];
      if (id !== undefined) kept.current = { page, ids, id };
    },
    step: (by) => {
      const focused = focusedRow();
      if (focused >= 0) focusRow(focused + by);
      else focusRow(isThere() ? nearest() + by : nearest());
    },
    focus: () => {
      const row = nearest();
      if (row < 0 || !focusRow(row)) focusHeading();
    },
  };
}
