import { QueryCache, QueryClient } from '@tanstack/react-query';
import { ApiError, isTemporary, SIGNED_OUT } from './api.ts';
import { loadPage } from './load-page.ts';

export const queryClient = new QueryClient({
  queryCache: new QueryCache({ onError: openSignInWhenSignedOut }),
  defaultOptions: {
    queries: {
      // Trying again does not help when the console has refused the request.
      retry: (failures, error) => failures < 2 && isTemporary(error),
      retryDelay: 500,
      staleTime: 5_000,
      refetchOnWindowFocus: false,
    },
  },
});

/** The router asks for the session itself and opens the sign-in without loading a new page. */
function openSignInWhenSignedOut(error: Error, query: { queryKey: readonly unknown[] }): void {
  if (!(error instanceof ApiError) || error.status !== SIGNED_OUT || query.queryKey[0] === 'session') return;
  const next = encodeURIComponent(location.pathname + location.search);
  loadPage(`/sign-in?next=${next}`);
}
