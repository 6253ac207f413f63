import { QueryCache, QueryClient } from '@tanstack/react-query';
import { ApiError, isTemporary, SIGNED_OUT } from './api.ts';
import { waitIfAway } from './connection.ts';
import { loadPage } from './load-page.ts';

export const queryClient = new QueryClient({
  queryCache: new QueryCache({
    onError: (error, query) => {
      openSignInWhenSignedOut(error, query);
      goOnWhenBack(error);
    },
  }),
  defaultOptions: {
    queries: {
      retry: (failures, error) => failures < retriesAfter(error),
      retryDelay: 500,
      staleTime: 5_000,
      refetchOnWindowFocus: false,
    },
  },
});

/**
 * Trying again does not help when the console has refused the request, unless the token of the session was replaced just
 * after the request was sent.
 */
function retriesAfter(error: Error): number {
  if (isTemporary(error)) return 2;
  return isSignedOut(error) ? 1 : 0;
}

function isSignedOut(error: Error): boolean {
  return error instanceof ApiError && error.status === SIGNED_OUT;
}

/** Everything on screen is loaded again when the service is back, because it may have changed meanwhile. */
async function goOnWhenBack(error: Error): Promise<void> {
  if (await waitIfAway(error)) await queryClient.invalidateQueries();
}

/** The router asks for the session itself and opens the sign-in without loading a new page. A choice of accounts is part of it. */
const SHOWN_BY_PAGE = new Set<unknown>(['session', 'provider']);

function openSignInWhenSignedOut(error: Error, query: { queryKey: readonly unknown[] }): void {
  if (!isSignedOut(error) || SHOWN_BY_PAGE.has(query.queryKey[0])) return;
  const next = encodeURIComponent(location.pathname + location.search);
  loadPage(`/sign-in?next=${next}`);
}
