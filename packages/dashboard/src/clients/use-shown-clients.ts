import { useSuspenseQuery } from '@tanstack/react-query';
import { useMemo } from 'react';
import type { Assigned, WaitingRecord } from '#contract/clients/review.ts';
import { sessionQuery } from '../session.ts';
import { useAsChanged } from './unconfirmed-changes.ts';

/** The clients of the tab, as they will be when the service has made all changes. Those that were assigned to others have left it. */
export function useShownClients(items: WaitingRecord[], assigned: Assigned | undefined): WaitingRecord[] {
  const { data: me } = useSuspenseQuery(sessionQuery);
  const changed = useAsChanged(items);
  return useMemo(
    () => (assigned ? changed.filter(({ assignee }) => isIn(assigned, assignee?.member_id, me.member_id)) : changed),
    [changed, assigned, me.member_id],
  );
}

function isIn(assigned: Assigned, assignee: number | undefined, me: number): boolean {
  return assigned === 'me' ? assignee === me : assignee === undefined;
}
