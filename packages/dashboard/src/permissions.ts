import { useSuspenseQuery } from '@tanstack/react-query';
import { sessionQuery } from './queries.ts';

/** Whether the signed-in member may change things. The console decides; this only hides what it would refuse. */
export function useMayChange(): boolean {
  return useSuspenseQuery(sessionQuery).data.role !== 'viewer';
}
