import type { Clock } from '../clock.ts';
import { oneAtATime } from '../one-at-a-time.ts';
import { fold } from '../text.ts';
import { DAY_MS, formatTime } from '../time.ts';
import type { ListingKind } from './listing-kinds.ts';
import { writeCounts } from './write-counts.ts';

// Which key has asked for which clients, and when, is summed up by day and filter, and not kept for each request.

/** What was asked for, in parts: as filters of a call are written in its address, without what would identify a client. */
export interface ListedFilter {
  /** Filters with one of a few values each, and those whose values are not kept. */
  closed: string;
  /** Filters by values of which there are very many. */
  open: string;
  /** The same without the values. */
  openNames: string;
  groupName: string | undefined;
}

export const NO_FILTER: ListedFilter = { closed: '', open: '', openNames: '', groupName: undefined };

/** What stands for a value that is not kept. */
export const HIDDEN = '…';

interface Count {
  workspaceId: number;
  keyId: string;
  /** Days since 1970, UTC. */
  day: number;
  kind: ListingKind;
  calls: number;
  lastAt: number;
}

/** How often a key has asked for the clients of one filter on one day. */
export interface Listing extends Count {
  /** Empty if there was none. */
  filter: string;
}

interface Pending extends Count {
  filter: ListedFilter;
}

export interface KeyListingStore {
  /** Adds to the stored counts, because every node counts its own calls. Each may occur once. */
  add(listings: readonly Listing[]): Promise<void>;
  /** The names of the groups that have these folded names, by them. */
  groupNames(workspaceId: number, folded: readonly string[]): Promise<Map<string, string>>;
  /** Those of a key, the newest day first, and of a day those of all clients, then those with the most calls. */
  ofKey(
    workspaceId: number,
    keyId: string,
    wanted: { fromDay?: number | undefined; limit?: number },
  ): Promise<Listing[]>;
  /** Removes those of the first day, if it is before this one. Returns whether there was such a day. */
  removeFirstDayBefore(day: number): Promise<boolean>;
}

/** Of open filters, of one key on one day. A program could otherwise fill the database with them. */
const FILTERS_MAX = 200;
/** The same for all keys of this process, so that they do not fill its memory. */
const FILTERS_IN_ALL_MAX = 20_000;

export function dayOf(time: number): number {
  return Math.floor(time / DAY_MS);
}

/** Such as `2026-01-31`. */
export function dayText(day: number): string {
  return formatTime(day * DAY_MS).slice(0, 'YYYY-MM-DD'.length);
}

/** Counts in memory and stores the counts in batches, so that a call does not write to the database. */
export class ListingCounter {
  readonly #store: KeyListingStore;
  readonly #clock: Clock;
  #counts = new Map<string, Pending>();
  /** The open filters of each key on the day that was counted last, and how many they are in all. */
  #filters = new Map<string, Set<string>>();
  #filtersInAll = 0;
  #day = 0;

  constructor(deps: { keyListings: KeyListingStore; clock: Clock }) {
    this.#store = deps.keyListings;
    this.#clock = deps.clock;
  }

  count(
    { workspaceId, keyId }: { workspaceId: number; keyId: string },
    kind: ListingKind,
    filter: ListedFilter = NO_FILTER,
  ): void {
    const lastAt = this.#clock.now();
    const day = dayOf(lastAt);
    const counted = filter.openNames === '' ? filter : this.#countedAs(day, keyId, filter);
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
    await writeCounts(
      counts,
      async (batch) => this.#store.add(await this.#described(batch)),
      (count) => this.#add(count),
    );
  });

  /** Only the names of groups that exist are kept: a caller may send anything as a name, such as that of a client. */
  async #described(counts: readonly Pending[]): Promise<Listing[]> {
    const described = new Map<string, Listing>();
    const byWorkspace = Map.groupBy(counts, ({ workspaceId }) => workspaceId);
    for (const [workspaceId, own] of byWorkspace) {
      const folded = [...new Set(own.flatMap(({ filter }) => (filter.groupName ? fold(filter.groupName) : [])))];
      const names = folded.length > 0 ? await this.#store.groupNames(workspaceId, folded) : new Map<string, string>();
      for (const count of own) merge(described, { ...count, filter: textOf(count.filter, names) });
    }
    return [...described.values()];
  }

  /** Beyond the limits, only which filters there were. */
  #countedAs(day: number, keyId: string, filter: ListedFilter): ListedFilter {
    if (day !== this.#day) {
      this.#filters = new Map();
      this.#filtersInAll = 0;
      this.#day = day;
    }
    const known = this.#filters.get(keyId) ?? new Set();
    const name = nameOf(filter);
    if (known.has(name)) return filter;
    if (known.size >= FILTERS_MAX || this.#filtersInAll >= FILTERS_IN_ALL_MAX) {
      return { ...filter, open: filter.openNames, groupName: undefined };
    }
    known.add(name);
    this.#filtersInAll++;
    this.#filters.set(keyId, known);
    return filter;
  }

  #add(pending: Pending): void {
    const { day, keyId, kind, filter } = pending;
    const name = `${day} ${keyId} ${kind} ${nameOf(filter)}`;
    const earlier = this.#counts.get(name);
    if (earlier) addTo(earlier, pending);
    else this.#counts.set(name, pending);
  }
}

function nameOf({ closed, open, groupName = '' }: ListedFilter): string {
  return groupName === '' && open === '' ? closed : `${closed}&${open}&${fold(groupName)}`;
}

function textOf({ closed, open, groupName }: ListedFilter, names: ReadonlyMap<string, string>): string {
  const group = groupName === undefined ? '' : `group_name=${encoded(names.get(fold(groupName)) ?? HIDDEN)}`;
  return [closed, open, group].filter((part) => part !== '').join('&');
}

/** What could be taken for the end of a value, or is shown in a way that hides or reorders what stands beside it. */
const CONFUSING = /[&=%\p{C}\p{Zl}\p{Zp}]/gu;

function encoded(value: string): string {
  return value.replace(CONFUSING, encodeURIComponent);
}

function merge(listings: Map<string, Listing>, listing: Listing): void {
  const { day, keyId, kind, filter } = listing;
  const name = `${day} ${keyId} ${kind} ${filter}`;
  const earlier = listings.get(name);
  if (earlier) addTo(earlier, listing);
  else listings.set(name, listing);
}

function addTo(earlier: Count, { calls, lastAt }: Count): void {
  earlier.calls += calls;
  earlier.lastAt = Math.max(earlier.lastAt, lastAt);
}

/** They are kept for as long as the activity log. */
export async function removeOldListings(
  { keyListings, clock }: { keyListings: KeyListingStore; clock: Clock },
  days: number,
  signal?: AbortSignal,
): Promise<void> {
  const first = dayOf(clock.now()) - days;
  let isMore = true;
  // Day by day, because a statement may not take long.
  while (isMore && !signal?.aborted) isMore = await keyListings.removeFirstDayBefore(first);
}
