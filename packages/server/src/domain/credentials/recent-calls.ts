import type { Clock } from '../clock.ts';
import { RECENT_HOURS } from './key-bounds.ts';
import { HOUR_MS, hourOf, type KeyUsageStore } from './key-usage.ts';

/** The calls of all keys of a workspace by the hour, the current one last. */
export interface RecentCalls {
  callsPerHour: number[];
  failedPerHour: number[];
  limitedPerHour: number[];
  /** When the current hour began. */
  lastHourAt: number;
}

export async function readRecentCalls(
  { keyUsage, clock }: { keyUsage: KeyUsageStore; clock: Clock },
  workspaceId: number,
): Promise<RecentCalls> {
  const last = hourOf(clock.now());
  const first = last - RECENT_HOURS + 1;
  const hours = await keyUsage.hoursOfWorkspace(workspaceId, first);
  const byHour = new Map(hours.map((each) => [each.hour, each]));
  const perHour = (name: 'calls' | 'failed' | 'limited') =>
    Array.from({ length: RECENT_HOURS }, (_, index) => byHour.get(first + index)?.[name] ?? 0);
  return {
    callsPerHour: perHour('calls'),
    failedPerHour: perHour('failed'),
    limitedPerHour: perHour('limited'),
    lastHourAt: last * HOUR_MS,
  };
}
