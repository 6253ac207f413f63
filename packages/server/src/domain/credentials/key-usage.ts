import type { Clock } from '../clock.ts';
import type { ApiKey } from './api-key.ts';
import type { ApiKeys } from './manage-keys.ts';

const DAY_MS = 86_400_000;

export interface UsageCount {
  workspaceId: number;
  keyId: string;
  /** Days since 1970, UTC. */
  day: number;
  calls: number;
  lastUsedAt: number;
}

export interface KeyUsageStore {
  /** Adds to the stored counts, because every node counts its own calls. */
  add(counts: readonly UsageCount[]): Promise<void>;
  /** For each key, the calls since the day and the time of its last use. */
  ofKeys(workspaceId: number, sinceDay: number): Promise<Map<string, { calls: number; lastUsedAt: number }>>;
  /** Calls of the whole workspace since the day. */
  calls(workspaceId: number, sinceDay: number): Promise<number>;
}

export function dayOf(time: number): number {
  return Math.floor(time / DAY_MS);
}

/** Counts calls in memory and stores them in batches, so that a call does not write to the database. */
export class KeyUsageCounter {
  readonly #store: KeyUsageStore;
  readonly #clock: Clock;
  #counts = new Map<string, UsageCount>();

  constructor(deps: { keyUsage: KeyUsageStore; clock: Clock }) {
    this.#store = deps.keyUsage;
    this.#clock = deps.clock;
  }

  count({ workspaceId, keyId }: { workspaceId: number; keyId: string }): void {
    const lastUsedAt = this.#clock.now();
    this.#add({ workspaceId, keyId, day: dayOf(lastUsedAt), calls: 1, lastUsedAt });
  }

  /** The counts of a batch that could not be written are added to the next batch. */
  async flush(): Promise<void> {
    if (this.#counts.size === 0) return;
    const batch = [...this.#counts.values()];
    this.#counts = new Map();
    try {
      await this.#store.add(batch);
    } catch (error) {
      for (const count of batch) this.#add(count);
      throw error;
    }
  }

  #add(count: UsageCount): void {
    const name = `${count.day} ${count.keyId}`;
    const earlier = this.#counts.get(name);
    if (!earlier) {
      this.#counts.set(name, count);
      return;
    }
    earlier.calls += count.calls;
    earlier.lastUsedAt = Math.max(earlier.lastUsedAt, count.lastUsedAt);
  }
}

/** Calls are shown for this many days, today included. */
const USAGE_DAYS = 30;

export interface KeysWithUsageDeps {
  keys: ApiKeys;
  keyUsage: KeyUsageStore;
  clock: Clock;
}

export interface KeyWithUsage extends ApiKey {
  lastUsedAt: number | null;
  recentCalls: number;
}

export async function listKeysWithUsage(deps: KeysWithUsageDeps, workspaceId: number): Promise<KeyWithUsage[]> {
  const [keys, usage] = await Promise.all([
    deps.keys.list(workspaceId),
    deps.keyUsage.ofKeys(workspaceId, dayOf(deps.clock.now()) - USAGE_DAYS + 1),
  ]);
  return keys.map((key) => {
    const used = usage.get(key.id);
    return { ...key, lastUsedAt: used?.lastUsedAt ?? null, recentCalls: used?.calls ?? 0 };
  });
}
