import { QueryCache, QueryClient } from '@tanstack/react-query';
import { ApiError, SIGNED_OUT } from './api.ts';

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

function leaveWhenSignedOut(error: Error): void {
  if (!(error instanceof ApiError) || error.status !== SIGNED_OUT || location.pathname === '/sign-in') return;
  const next = encodeURIComponent(location.pathname + location.search);
  location.assign(`/sign-in?next=${next}`);
}
