import type { Clock } from '../clock.ts';
import { oneAtATime } from '../one-at-a-time.ts';
import { USAGE_HOURS } from './key-bounds.ts';
import { writeCounts } from './write-counts.ts';

export const HOUR_MS = 3_600_000;
const BAD_REQUEST = 400;
const TOO_MANY_REQUESTS = 429;

export interface UsageCount {
  workspaceId: number;
  keyId: string;
  /** Hours since 1970, UTC. */
  hour: number;
  calls: number;
  /** Those of the calls that were answered with an error, except those beyond a limit. */
  failed: number;
  /** Those of the calls that were refused because there were too many. */
  limited: number;
  lastUsedAt: number;
  /** The address of the last caller. Empty if it is not known. */
  lastUsedFrom: string;
}

export type HourUsage = Pick<UsageCount, 'hour' | 'calls' | 'failed' | 'limited'>;

export interface KeyUsageStore {
  /** Adds to the stored counts, because every node counts its own calls. Each key and hour may occur once. */
  add(counts: readonly UsageCount[]): Promise<void>;
  /** Moves the time of last use forward, never back, because another node may already have stored a later use. */
  moveLastUse(uses: readonly UsageCount[]): Promise<void>;
  /** For each key that was used, the calls since the hour. */
  ofKeys(workspaceId: number, sinceHour: number): Promise<Map<string, number>>;
  /** The calls of one key in each hour since the given one. Hours without calls are missing. */
  byHour(workspaceId: number, keyId: string, sinceHour: number): Promise<Map<number, number>>;
  /** The calls of all keys in each hour since the given one. Hours without calls are missing. */
  hoursOfWorkspace(workspaceId: number, sinceHour: number): Promise<HourUsage[]>;
  removeBefore(hour: number): Promise<void>;
}

export function hourOf(time: number): number {
  return Math.floor(time / HOUR_MS);
}

/** The first of the hours whose calls are kept and shown. */
export function firstUsageHour(now: number): number {
  return hourOf(now) - USAGE_HOURS + 1;
}

/** Deletes the counts of hours that are not shown any more. */
export function removeOldUsage({ keyUsage, clock }: { keyUsage: KeyUsageStore; clock: Clock }): Promise<void> {
  return keyUsage.removeBefore(firstUsageHour(clock.now()));
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

  count({ workspaceId, keyId }: { workspaceId: number; keyId: string }, address: string, status: number): void {
    const lastUsedAt = this.#clock.now();
    const limited = status === TOO_MANY_REQUESTS ? 1 : 0;
    const failed = status >= BAD_REQUEST ? 1 - limited : 0;
    const hour = hourOf(lastUsedAt);
    this.#add({ workspaceId, keyId, hour, calls: 1, failed, limited, lastUsedAt, lastUsedFrom: address });
  }

  /** Calls that are only in memory. */
  get notStored(): number {
    return this.#counts.values().reduce((sum, { calls }) => sum + calls, 0);
  }

  /** What could not be written is kept for the next time. Waits for a flush that is under way, whose counts may come back. */
  readonly flush = oneAtATime(async () => {
    const counts = [...this.#counts.values()];
    this.#counts = new Map();
    await writeCounts(
      counts,
      (batch) => this.#write(batch),
      (count) => this.#add(count),
    );
  });

  /** In two transactions, so that rows of keys are not locked while the counts are written. */
  async #write(batch: readonly UsageCount[]): Promise<void> {
    const counted = batch.filter(({ calls }) => calls > 0);
    if (counted.length > 0) await this.#store.add(counted);
    // From here on, only the time of last use may have to be written again.
    for (const count of batch) Object.assign(count, { calls: 0, failed: 0, limited: 0 });
    await this.#store.moveLastUse(batch);
  }

  #add(count: UsageCount): void {
    const name = `${count.hour} ${count.keyId}`;
    const earlier = this.#counts.get(name);
    if (!earlier) {
      this.#counts.set(name, count);
      return;
    }
    earlier.calls += count.calls;
    earlier.failed += count.failed;
    earlier.limited += count.limited;
    if (count.lastUsedAt < earlier.lastUsedAt) return;
    earlier.lastUsedAt = count.lastUsedAt;
    // The address of a caller who has already left may be unknown.
    earlier.lastUsedFrom = count.lastUsedFrom || earlier.lastUsedFrom;
  }
}
