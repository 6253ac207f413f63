import type { Clock } from '../clock.ts';
import { oneAtATime } from '../one-at-a-time.ts';
import { DAY_MS, formatTime } from '../time.ts';
import type { ListingKind } from './listing-kinds.ts';

// Which key has asked for which clients, and when, is summed up by day and filter, and not kept for each request.

/** How often a key has asked for the clients of one filter on one day. */
export interface Listing {
  workspaceId: number;
  keyId: string;
  /** Days since 1970, UTC. */
  day: number;
  kind: ListingKind;
  /** As in the address of the call, without what would identify a client. Empty if all clients were asked for. */
  filter: string;
  calls: number;
  lastAt: number;
}

export interface KeyListingStore {
  /** Adds to the stored counts, because every node counts its own calls. Each may occur once. */
  add(listings: readonly Listing[]): Promise<void>;
  /** Those of a key, the newest day first, and of a day those with the most calls. */
  ofKey(
    workspaceId: number,
    keyId: string,
    wanted: { fromDay?: number | undefined; limit?: number },
  ): Promise<Listing[]>;
  removeBefore(day: number): Promise<void>;
}

/** Of one key on one day, in one process. A program could otherwise fill the database with filters. */
const FILTERS_MAX = 200;
/** What calls with further filters are counted as. */
export const OTHER_FILTERS = 'further filters';

/** Few enough that a transaction takes milliseconds. */
const LISTINGS_PER_WRITE = 300;

/** Such as `2026-01-31`. */
export function dayText(day: number): string {
  return formatTime(day * DAY_MS).slice(0, 'YYYY-MM-DD'.length);
}

export function dayOf(time: number): number {
  return Math.floor(time / DAY_MS);
}

/** Counts in memory and stores the counts in batches, so that a call does not write to the database. */
export class ListingCounter {
  readonly #store: KeyListingStore;
  readonly #clock: Clock;
  #counts = new Map<string, Listing>();
  /** The filters of each key on the day that was counted last. */
  #filters = new Map<string, Set<string>>();
  #day = 0;

  constructor(deps: { keyListings: KeyListingStore; clock: Clock }) {
    this.#store = deps.keyListings;
    this.#clock = deps.clock;
  }

  count({ workspaceId, keyId }: { workspaceId: number; keyId: string }, kind: ListingKind, filter: string): void {
    const lastAt = this.#clock.now();
    const day = dayOf(lastAt);
    const counted = this.#countedAs(day, keyId, filter);
    this.#add({ workspaceId, keyId, day, kind, filter: counted, calls: 1, lastAt });
  }

  /** Calls that are only in memory. */
  get notStored(): number {
    return this.#counts.values().reduce((sum, { calls }) => sum + calls, 0);
  }

  /** What could not be written is kept for the next time. */
  readonly flush = oneAtATime(async () => {
    const counts = [...this.#counts.values()];
    this.#counts = new Map();
    let stored = 0;
    try {
      for (; stored < counts.length; stored += LISTINGS_PER_WRITE) {
        await this.#store.add(counts.slice(stored, stored + LISTINGS_PER_WRITE));
      }
    } catch (error) {
      for (const count of counts.slice(stored)) this.#add(count);
      throw error;
    }
  });

  #countedAs(day: number, keyId: string, filter: string): string {
    if (day !== this.#day) this.#filters = new Map();
    this.#day = day;
    const known = this.#filters.get(keyId) ?? new Set();
    if (known.has(filter)) return filter;
    if (known.size >= FILTERS_MAX) return OTHER_FILTERS;
    known.add(filter);
    this.#filters.set(keyId, known);
    return filter;
  }

  #add(listing: Listing): void {
    const name = `${listing.day} ${listing.keyId} ${listing.kind} ${listing.filter}`;
    const earlier = this.#counts.get(name);
    if (!earlier) {
      this.#counts.set(name, listing);
      return;
    }
    earlier.calls += listing.calls;
    earlier.lastAt = Math.max(earlier.lastAt, listing.lastAt);
  }
}

/** They are kept for as long as the activity log. */
export async function removeOldListings(
  { keyListings, clock }: { keyListings: KeyListingStore; clock: Clock },
  days: number,
): Promise<void> {
  await keyListings.removeBefore(dayOf(clock.now()) - days);
}
