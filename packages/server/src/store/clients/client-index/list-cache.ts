import { LRUCache } from 'lru-cache';
import type { ClientFilter } from '../../../domain/clients/client-filter.ts';
import { type FilterCombination, keyOf, type PositionRange } from './combination.ts';
import type { IndexLevels } from './levels.ts';
import { combinationsIn, type Ends, ListUnion, rangeOf, WHOLE_LIST } from './list-union.ts';
import type { CountedList, PageFinder } from './page-finder.ts';

/** The list of ten million clients has about 30,000 runs, which take one megabyte. */
const LISTS_BYTES = 16 * 1024 * 1024;
const FILTERS_BYTES = 2 * 1024 * 1024;

/** The measured memory, rounded up, of a cached filter and of each of its lists, in addition to the characters of its key. */
const FILTER_BYTES = 300;
const FILTER_LIST_BYTES = 60;

/** The lists of a filter as of the stamp: later, another group may have the name, or a list its first client. */
interface CachedFilter {
  stamp: string;
  combinations: readonly FilterCombination[];
  excluded: readonly FilterCombination[];
}

/** The ranks at both ends of a range as of the stamp. */
interface CachedEnds {
  stamp: string;
  ends: Ends;
}

/**
 * Caches page finders, which of them a filter needs, and the ends of ranges; the least recently used are dropped first. A
 * page finder is cached under its filter combination, which contains the id of the group, because names can change. Callers
 * must check the stamp.
 */
export class ListCache {
  readonly #lists: LRUCache<string, { pageFinder: PageFinder }>;
  readonly #filters: LRUCache<string, CachedFilter | CachedEnds>;

  readonly #levels: IndexLevels;

  constructor(levels: IndexLevels, { listsBytes = LISTS_BYTES, filtersBytes = FILTERS_BYTES } = {}) {
    this.#levels = levels;
    this.#lists = new LRUCache({
      maxSize: listsBytes,
      sizeCalculation: ({ pageFinder }, key) => pageFinder.bytes + 2 * key.length,
    });
    this.#filters = new LRUCache({
      maxSize: filtersBytes,
      sizeCalculation: (cached, key) => {
        const lists = 'combinations' in cached ? cached.combinations.length + cached.excluded.length : 0;
        return FILTER_BYTES + FILTER_LIST_BYTES * lists + 2 * (key.length + cached.stamp.length);
      },
    });
  }

  /** The memory that it takes. */
  get bytes(): number {
    return this.#lists.calculatedSize + this.#filters.calculatedSize;
  }

  /** The lists of a filter, if it and all of its page finders are cached with the same stamp. */
  find(workspaceId: number, filter: ClientFilter): { stamp: string; union: ListUnion } | undefined {
    const key = filterKey(workspaceId, filter);
    const cached = this.#filters.get(key) as CachedFilter | undefined;
    if (!cached) return undefined;
    const { stamp } = cached;
    const lists = this.#countedLists(workspaceId, cached.combinations, stamp);
    const excluded = this.#countedLists(workspaceId, cached.excluded, stamp);
    if (!lists || !excluded) return undefined;
    const range = rangeOf(filter);
    const ends = range === WHOLE_LIST ? undefined : this.#ends(key, range, stamp);
    return { stamp, union: new ListUnion({ lists, excluded }, { range, ends, levels: this.#levels }) };
  }

  #countedLists(
    workspaceId: number,
    combinations: readonly FilterCombination[],
    stamp: string,
  ): CountedList[] | undefined {
    const lists: CountedList[] = [];
    for (const combination of combinations) {
      const pageFinder = this.pageFinder(workspaceId, combination);
      if (pageFinder?.stamp !== stamp) return undefined;
      lists.push({ combination, pageFinder });
    }
    return lists;
  }

  pageFinder(workspaceId: number, combination: FilterCombination): PageFinder | undefined {
    return this.#lists.get(listKey(workspaceId, combination))?.pageFinder;
  }

  /** Must also be called for what is already in the cache, because it grows when pages are read. */
  keep(workspaceId: number, filter: ClientFilter, { stamp, union }: { stamp: string; union: ListUnion }): void {
    const { lists, excluded, range, ends } = union;
    this.keepLists(workspaceId, lists);
    this.keepLists(workspaceId, excluded);
    const key = filterKey(workspaceId, filter);
    this.#filters.set(key, { stamp, combinations: combinationsIn(lists), excluded: combinationsIn(excluded) });
    if (range !== WHOLE_LIST && ends) this.#filters.set(endsKey(key, range), { stamp, ends });
  }

  keepLists(workspaceId: number, lists: readonly CountedList[]): void {
    for (const { combination, pageFinder } of lists) {
      // In a new object, because the cache would not compute the size of the same value again.
      this.#lists.set(listKey(workspaceId, combination), { pageFinder });
    }
  }

  #ends(key: string, range: PositionRange, stamp: string): Ends | undefined {
    const cached = this.#filters.get(endsKey(key, range)) as CachedEnds | undefined;
    return cached?.stamp === stamp ? cached.ends : undefined;
  }
}

function listKey(workspaceId: number, combination: FilterCombination): string {
  return `${workspaceId} ${keyOf(combination)}`;
}

/** No filter can contain a NUL, so it separates them. Emails and ids have no counted list, and all ranges have the same. */
function filterKey(workspaceId: number, filter: ClientFilter): string {
  const { groupName = '', groupTokens = '', requestStatuses = '', clientType = '', clientStatus = '' } = filter;
  return `${workspaceId}\0${groupName}\0${groupTokens}\0${requestStatuses}\0${clientType}\0${clientStatus}`;
}

function endsKey(key: string, { from, until }: PositionRange): string {
  return `${key}\0${from.createdAt}\0${until.createdAt}`;
}
