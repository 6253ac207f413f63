import { useInfiniteQuery, useQueryClient } from '@tanstack/react-query';
import { useEffect, useMemo } from 'react';
import type { Assigned, WaitingRecord } from '#contract/clients/review.ts';
import { useEnvironment } from '../environment.ts';
import { reviewQuery } from './queries.ts';

/** With fewer clients than this after the current one, the next page is fetched. */
const AHEAD = 15;

/**
 * The clients that wait for a review, as far as they were fetched. What becomes of them is noted here, so that the list need
 * not be fetched again after every decision, and nothing in it moves.
 */
export function useReviewQueue(assigned: Assigned | undefined) {
  const environment = useEnvironment();
  const queries = useQueryClient();
  const options = reviewQuery(environment, assigned);
  const query = useInfiniteQuery(options);
  const { data, hasNextPage, isFetchingNextPage, fetchNextPage } = query;
  const items = useMemo(() => data?.pages.flatMap(({ results }) => results) ?? [], [data]);

  const edit = (change: (results: WaitingRecord[]) => WaitingRecord[]) =>
    queries.setQueryData(
      options.queryKey,
      (now) => now && { ...now, pages: now.pages.map((page) => ({ ...page, results: change(page.results) })) },
    );
  return {
    query,
    items,
    leavesOut: data?.pages.some((page) => page.leaves_out) ?? false,
    hasMore: hasNextPage,
    isLoadingMore: isFetchingNextPage,
    loadMore: () => void fetchNextPage(),
    remove: (ids: ReadonlySet<string>) => edit((results) => results.filter((item) => !ids.has(idOf(item)))),
    replace: (changed: ReadonlyMap<string, WaitingRecord>) =>
      edit((results) => results.map((item) => changed.get(idOf(item)) ?? item)),
    refresh: () => queries.invalidateQueries({ queryKey: [environment, 'review'] }),
    /** Everything else on screen and in memory, such as counts and the clients themselves. */
    refreshOthers: () =>
      void queries.invalidateQueries({
        predicate: ({ queryKey }) => queryKey[1] !== 'review' || queryKey[2] !== options.queryKey[2],
      }),
  };
}

/** Fetches the next page in time. */
export function useLookAhead(queue: ReturnType<typeof useReviewQueue>, index: number): void {
  const { items, hasMore, isLoadingMore, loadMore, query } = queue;
  const isNeeded = hasMore && !isLoadingMore && !query.isError && items.length - index <= AHEAD;
  // Again after every page, because it may have brought few clients or none.
  useEffect(() => {
    if (isNeeded) loadMore();
  }, [isNeeded, query.data]);
}

export function idOf({ client }: WaitingRecord): string {
  return client.reference_id;
}
