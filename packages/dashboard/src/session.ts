import { queryOptions, useSuspenseQuery } from '@tanstack/react-query';
import type { VisitorRecord } from '#contract/members/index.ts';
import { ApiError, callConsole, SIGNED_OUT, setAccountOfPage } from './api.ts';
import { useEnvironment } from './environment.ts';

export const sessionQuery = queryOptions({
  queryKey: ['session'],
  queryFn: async () => {
    const { session } = await callConsole<VisitorRecord>('GET', '/visitor');
    if (!session) throw new ApiError(SIGNED_OUT, 'You are not signed in.');
    setAccountOfPage(session.account_id);
    return session;
  },
  staleTime: 60_000,
});

/** Whether the signed-in member may change things. The console decides; this only hides what it would refuse. */
export function useCanEdit(): boolean {
  return useSuspenseQuery(sessionQuery).data.role !== 'viewer';
}

/** Where the API of this environment describes itself, if its address is known. */
export function useApiReference(): string | undefined {
  const address = useSuspenseQuery(sessionQuery).data.addresses[useEnvironment()];
  return address === null ? undefined : `${address}/docs`;
}
