import { DAY_MS } from '../time.ts';
import type { RequestStatus } from './request-status.ts';

/** The length of the period, and of the one before, with which it is compared. */
export const PERIOD_DAYS = 30;

/** A median is that of all changes of the period, or of this many if there are more, those first that came last. */
export const TIMES_READ_MAX = 5000;

/** What became of clients in a period, by the changes that members and programs have made. Imports do not count. */
export interface PeriodTimes {
  completed: number;
  declined: number;
  /** The median time from when a client was added until it was completed; null if none was. */
  completionMs: number | null;
  /** The median time that clients had spent in each status when they left it, if that is known; null if none has. */
  inStatusMs: Record<RequestStatus, number | null>;
  /** Whether a median is that of `TIMES_READ_MAX` changes only. */
  isSampled: boolean;
}

export interface ReviewTimes {
  /** From a time to another, which is exclusive. */
  between(workspaceId: number, from: number, until: number): Promise<PeriodTimes>;
}

export async function compareTimes(
  { reviewTimes }: { reviewTimes: ReviewTimes },
  workspaceId: number,
  now: number,
): Promise<{ current: PeriodTimes; previous: PeriodTimes }> {
  const length = PERIOD_DAYS * DAY_MS;
  const [current, previous] = await Promise.all([
    reviewTimes.between(workspaceId, now - length, now + 1),
    reviewTimes.between(workspaceId, now - 2 * length, now - length),
  ]);
  return { current, previous };
}
