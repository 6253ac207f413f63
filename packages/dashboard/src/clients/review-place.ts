import { queryOptions, useQueryClient } from '@tanstack/react-query';
import { useEffect, useState } from 'react';
import type { Assigned } from '#contract/clients/review.ts';
import type { Environment } from '#contract/environments.ts';
import { useEnvironment } from '../environment.ts';
import type { CurrentClient } from './current-client.ts';
import { reviewQuery } from './queries.ts';
import { assignedIn, type QueueName, queueOf } from './search.ts';
import { idOf } from './use-review-queue.ts';

/** The client that was opened from a list of the review. It is never fetched, and kept however long the client is looked at. */
const placeQuery = (environment: Environment, queue: QueueName) =>
  queryOptions<CurrentClient>({
    queryKey: [environment, 'review-place', queue],
    enabled: false,
    gcTime: Number.POSITIVE_INFINITY,
  });

/** Keeps the place of the client in the list from which it was opened, for the way back. */
export function useKeepPlace(id: string, queue: QueueName | undefined): void {
  const environment = useEnvironment();
  const queries = useQueryClient();
  useEffect(() => {
    if (!queue) return;
    const list = queries.getQueryData(reviewQuery(environment, assignedIn(queue)).queryKey);
    // With the list as it is now: the client may leave it before the member goes back, and the next one is current then.
    const ids = list?.pages.flatMap(({ results }) => results.map(idOf)) ?? [];
    queries.setQueryData(placeQuery(environment, queue).queryKey, { ids, id, awaited: id });
  }, [queries, environment, id, queue]);
}

/** The place in this list from which the member has opened a client, if they come back from it. */
export function useFormerPlace(assigned: Assigned | undefined): CurrentClient | undefined {
  const environment = useEnvironment();
  const queries = useQueryClient();
  const { queryKey } = placeQuery(environment, queueOf(assigned));
  const [place] = useState(() => queries.getQueryData(queryKey));
  // Once: whoever comes from elsewhere begins with the client that waits for the longest time.
  useEffect(() => queries.removeQueries({ queryKey }), []);
  return place;
}
