import type { Clock } from '../clock.ts';
import { type ApiKey, isExpired } from './api-key.ts';
import { IDLE_AFTER_DAYS, LISTINGS_SHOWN, USAGE_HOURS } from './key-bounds.ts';
import type { ApiKeys } from './key-changes.ts';
import type { KeyListingStore, Listing } from './key-listings.ts';
import { firstUsageHour, HOUR_MS, type KeyUsageStore } from './key-usage.ts';
import { noSuchKey } from './manage-keys.ts';

const DAY_MS = 86_400_000;

export interface DescribeKeysDeps {
  keys: ApiKeys;
  keyUsage: KeyUsageStore;
  keyListings: Pick<KeyListingStore, 'ofKey'>;
  clock: Clock;
}

export interface KeyWithUsage extends ApiKey {
  /** Calls in the last 30 days. */
  recentCalls: number;
  isIdle: boolean;
}

export interface KeyWithHours extends KeyWithUsage {
  /** The calls in each of the last 720 hours, the current one last. */
  callsPerHour: number[];
  /** When the current hour began. */
  lastHourAt: number;
  /** What it has asked for, by day and filter, newest first. */
  listings: Listing[];
}

export async function listKeys(deps: DescribeKeysDeps, workspaceId: number): Promise<KeyWithUsage[]> {
  const now = deps.clock.now();
  const [keys, usage] = await Promise.all([
    deps.keys.list(workspaceId),
    deps.keyUsage.ofKeys(workspaceId, firstUsageHour(now)),
  ]);
  return keys.map((key) => ({ ...key, recentCalls: usage.get(key.id) ?? 0, isIdle: isIdle(key, now) }));
}

export async function readKey(deps: DescribeKeysDeps, workspaceId: number, keyId: string): Promise<KeyWithHours> {
  const now = deps.clock.now();
  const first = firstUsageHour(now);
  const [key, hours, listings] = await Promise.all([
    deps.keys.find(workspaceId, keyId),
    deps.keyUsage.byHour(workspaceId, keyId, first),
    deps.keyListings.ofKey(workspaceId, keyId, { limit: LISTINGS_SHOWN }),
  ]);
  if (!key) throw noSuchKey();
  const callsPerHour = Array.from({ length: USAGE_HOURS }, (_, index) => hours.get(first + index) ?? 0);
  const recentCalls = callsPerHour.reduce((sum, calls) => sum + calls, 0);
  const lastHourAt = (first + USAGE_HOURS - 1) * HOUR_MS;
  return { ...key, recentCalls, isIdle: isIdle(key, now), callsPerHour, lastHourAt, listings };
}

/** Whether the key is valid, but was neither used nor created for a long time. */
function isIdle(key: ApiKey, now: number): boolean {
  if (key.revokedAt !== null || isExpired(key, now)) return false;
  return Math.max(key.createdAt, key.lastUsedAt ?? 0) < now - IDLE_AFTER_DAYS * DAY_MS;
}
