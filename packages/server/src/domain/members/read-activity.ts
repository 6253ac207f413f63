import type { SearchQueue } from '../clients/index.ts';
import { type ActivityFilter, type ActivityLog, comparesEntries, type FoundActivity } from './activity.ts';

export interface ReadActivityDeps {
  activity: ActivityLog;
  searchQueue: SearchQueue;
}

/** Who reads, and the signal that the caller has disconnected. */
interface Reader {
  accountId: number;
  memberId: number;
  signal: AbortSignal;
}

/** One page of the log. If many entries have to be compared for it, that is done in turn with the searches of others. */
export async function readActivity(
  { activity, searchQueue }: ReadActivityDeps,
  { accountId, memberId, signal }: Reader,
  filter: ActivityFilter,
  window: { offset: number; limit: number },
): Promise<FoundActivity> {
  if (!comparesEntries(filter)) return activity.read(accountId, filter, window);
  return searchQueue.run(memberId, signal, () => activity.read(accountId, filter, window, signal));
}
