import { useInfiniteQuery, useQuery, useQueryClient } from '@tanstack/react-query';
import { useEffect, useMemo, useState } from 'react';
import type { Assigned, WaitingRecord } from '#contract/clients/review.ts';
import { useEnvironment } from '../environment.ts';
import { type ReviewNote, type ReviewNotes, reviewNotesQuery, reviewQuery } from './queries.ts';

/** With fewer clients than this after the current one, the next page is fetched. */
const AHEAD = 15;

/**
 * After so many pages without a client in a row, the next is fetched only if the member wants it: among very many clients that are
 * all assigned, there may be hundreds of such pages.
 */
const EMPTY_PAGES_MAX = 3;

/**
 * The clients that wait for a review, as far as they were fetched. What becomes of them is noted, so that the list need not be
 * fetched again after every decision, and nothing in it moves.
 */
export function useReviewQueue(assigned: Assigned | undefined) {
  const environment = useEnvironment();
  const queries = useQueryClient();
  const options = reviewQuery(environment, assigned);
  const query = useInfiniteQuery(options);
  const { data: notes } = useQuery(reviewNotesQuery(environment));
  const { data, hasNextPage, isFetchingNextPage, fetchNextPage } = query;
  const items = useMemo(() => data?.pages.flatMap((page) => withNotes(page, notes)) ?? [], [data, notes]);
  const empty = data ? data.pages.length - 1 - data.pages.findLastIndex(({ results }) => results.length > 0) : 0;
  // How many of these pages the member has wanted.
  const [wanted, setWanted] = useState(0);

  const note = (changed: Iterable<[id: string, now: WaitingRecord | undefined]>) => {
    const at = performance.now();
    const added = Array.from(changed, ([id, now]): [string, ReviewNote] => [id, { at, now }]);
    queries.setQueryData(reviewNotesQuery(environment).queryKey, (before) => new Map([...(before ?? []), ...added]));
  };
  return {
    query,
    items,
    leavesOut: data?.pages.some((page) => page.leaves_out) ?? false,
    hasMore: hasNextPage,
    isLoadingMore: isFetchingNextPage,
    /** Whether many clients were looked at in vain. */
    isPaused: hasNextPage && empty - wanted >= EMPTY_PAGES_MAX,
    loadMore: () => {
      setWanted(empty);
      void fetchNextPage();
    },
    lookAhead: () => void fetchNextPage(),
    remove: (ids: Iterable<string>) => note(Array.from(ids, (id) => [id, undefined])),
    replace: (changed: ReadonlyMap<string, WaitingRecord>) => note(changed),
    refresh: () => queries.invalidateQueries({ queryKey: [environment, 'review'] }),
    /** Everything else on screen and in memory, such as counts and the clients themselves. */
    refreshOthers: () =>
      void queries.invalidateQueries({
        predicate: ({ queryKey }) => queryKey[1] !== 'review' || queryKey[2] !== options.queryKey[2],
      }),
  };
}

/** A page knows nothing of what was noted after it was asked for. */
function withNotes(page: { results: WaitingRecord[]; askedAt: number }, notes: ReviewNotes): WaitingRecord[] {
  return page.results.flatMap((item) => {
    const note = notes.get(idOf(item));
    if (!note || note.at < page.askedAt) return item;
    return note.now ?? [];
  });
}

/** Fetches the next page in time. */
export function useLookAhead(queue: ReturnType<typeof useReviewQueue>, index: number): void {
  const { items, hasMore, isLoadingMore, isPaused, lookAhead, query } = queue;
  const isNeeded = hasMore && !isLoadingMore && !isPaused && !query.isError && items.length - index <= AHEAD;
  // Again after every page, because it may have brought few clients or none.
  useEffect(() => {
    if (isNeeded) lookAhead();
  }, [isNeeded, query.data]);
}

export function idOf({ client }: WaitingRecord): string {
  return client.reference_id;
}
