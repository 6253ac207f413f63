import { useEffect, useRef } from 'react';
import { focusHeading } from '../components/focus-heading.ts';
import { isFocusLost } from '../components/is-focus-lost.ts';
import { type CurrentClient, inList } from './current-client.ts';
import { focusRow } from './list-rows.ts';

interface ShownList {
  /** The references of the clients, as soon as they are there. */
  ids: readonly string[] | undefined;
  /** Whether they may be older than what the member has changed in the meantime. */
  isFetching: boolean;
}

/** Puts the focus on the client from which the member comes back, or on the next one if it has left the list. */
export function useFormerRow(place: CurrentClient | undefined, { ids, isFetching }: ShownList): void {
  const wanted = useRef(place);
  useEffect(() => {
    if (!wanted.current || !ids) return;
    // Again after the list has been fetched, because the client may have left it, but not if the member has gone on.
    if (isFocusLost()) {
      const { id } = inList(wanted.current, ids);
      if (id === undefined || !focusRow(ids.indexOf(id))) focusHeading();
    }
    if (!isFetching) wanted.current = undefined;
  }, [ids, isFetching]);
}
