import type { ApiKey } from './api-key.ts';
import type { Clock } from './clock.ts';
import { dayOf, type KeyUsageStore } from './key-usage.ts';
import type { ApiKeys } from './manage-keys.ts';

/** Calls are shown for this many days, today included. */
const USAGE_DAYS = 30;

export interface UsedKeysDeps {
  keys: ApiKeys;
  keyUsage: KeyUsageStore;
  clock: Clock;
}

export interface UsedKey extends ApiKey {
  lastUsedAt: number | null;
  recentCalls: number;
}

export async function listUsedKeys(deps: UsedKeysDeps, workspaceId: number): Promise<UsedKey[]> {
  const [keys, usage] = await Promise.all([
    deps.keys.list(workspaceId),
    deps.keyUsage.ofKeys(workspaceId, dayOf(deps.clock.now()) - USAGE_DAYS + 1),
  ]);
  return keys.map((key) => {
    const used = usage.get(key.id);
    return { ...key, lastUsedAt: used?.lastUsedAt ?? null, recentCalls: used?.calls ?? 0 };
  });
}
