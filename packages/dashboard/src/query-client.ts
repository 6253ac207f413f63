import { QueryCache, QueryClient } from '@tanstack/react-query';
import { ApiError, SIGNED_OUT } from './api.ts';
import { goTo } from './go-to.ts';

export const queryClient = new QueryClient({
  queryCache: new QueryCache({ onError: leaveWhenSignedOut }),
  defaultOptions: {
    queries: {
      // Trying again helps against a lost connection, not against a refusal.
      retry: (failures, error) => failures < 2 && error instanceof ApiError && error.status === 0,
      retryDelay: 500,
      staleTime: 5_000,
      refetchOnWindowFocus: false,
    },
  },
});

/** The session itself is asked for by the router, which leads to the sign-in without leaving the page. */
function leaveWhenSignedOut(error: Error, query: { queryKey: readonly unknown[] }): void {
  if (!(error instanceof ApiError) || error.status !== SIGNED_OUT || query.queryKey[0] === 'session') return;
  const next = encodeURIComponent(location.pathname + location.search);
  goTo(`/sign-in?next=${next}`);
}
