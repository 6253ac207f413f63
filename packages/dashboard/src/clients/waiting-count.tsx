import { VisuallyHidden } from '@mantine/core';
import { useQuery, useSuspenseQuery } from '@tanstack/react-query';
import type { ClientCountsRecord } from '#contract/clients/clients.ts';
import { WAITING_STATUSES } from '#contract/clients/statuses.ts';
import { useEnvironment } from '../environment.ts';
import { sessionQuery } from '../session.ts';
import { waitingQuery } from './queries.ts';

/** A longer number would not fit beside the name of the page. */
const SHOWN_MAX = 99_999;

/** How many clients wait for a review, in the navigation. */
export function WaitingCount() {
  const environment = useEnvironment();
  const { data: session } = useSuspenseQuery(sessionQuery);
  const { data } = useQuery({
    ...waitingQuery(environment),
    enabled: !session.must_add_second_factor,
  });
  if (!data) return null;
  const waiting = waitingIn(data);
  if (waiting === 0) return null;
  return (
    <span className="nav-count" title={`${waiting.toLocaleString()} waiting`}>
      {waiting > SHOWN_MAX ? '99k+' : waiting.toLocaleString()}
      <VisuallyHidden> waiting</VisuallyHidden>
    </span>
  );
}

export function waitingIn({ by_status: counts }: ClientCountsRecord): number {
  return WAITING_STATUSES.reduce((sum, status) => sum + counts[status], 0);
}
