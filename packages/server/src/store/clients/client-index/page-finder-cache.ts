import { LRUCache } from 'lru-cache';
import type { ClientFilter } from '../../../domain/clients/client-filter.ts';
import { ANY, combinationFor, type FilterCombination, keyOf } from './combination.ts';
import type { PageFinder } from './page-finder.ts';

/** The filter combination of a list and its page finder, both valid for the stamp of the page finder. */
export interface CachedList {
  combination: FilterCombination;
  pageFinder: PageFinder;
}

/** The list of ten million clients has about 30,000 runs, which take one megabyte. */
const LISTS_BYTES = 16 * 1024 * 1024;
const NAMES_BYTES = 2 * 1024 * 1024;

/** The measured memory of a cached name in addition to its characters. */
const NAME_BYTES = 250;

/** The group that had a name when the stamp was current. After a rename, another group may have the name. */
interface NamedGroup {
  id: number;
  stamp: string;
}

/**
 * Caches the page finders of the counted index; the least recently used one is dropped first. Callers must check the stamp. A
 * page finder is cached under its filter combination, which contains the id of the group, because names can change.
 */
export class PageFinderCache {
  readonly #lists: LRUCache<string, { pageFinder: PageFinder }>;
  readonly #names: LRUCache<string, NamedGroup>;

  constructor({ listsBytes = LISTS_BYTES, namesBytes = NAMES_BYTES } = {}) {
    this.#lists = new LRUCache({
      maxSize: listsBytes,
      sizeCalculation: ({ pageFinder }, key) => pageFinder.bytes + 2 * key.length,
    });
    this.#names = new LRUCache({
      maxSize: namesBytes,
      sizeCalculation: ({ stamp }, key) => NAME_BYTES + 2 * (key.length + stamp.length),
    });
  }

  /** The list of a filter, if the name of the group and the page finder are cached with the same stamp. */
  find(workspaceId: number, filter: ClientFilter): CachedList | undefined {
    const group = filter.groupName === undefined ? undefined : this.#names.get(nameKey(workspaceId, filter.groupName));
    if (!group && filter.groupName !== undefined) return undefined;
    const combination = combinationFor(filter, group?.id ?? ANY);
    const pageFinder = this.get(workspaceId, combination);
    if (!pageFinder || (group && group.stamp !== pageFinder.stamp)) return undefined;
    return { combination, pageFinder };
  }

  get(workspaceId: number, combination: FilterCombination): PageFinder | undefined {
    return this.#lists.get(listKey(workspaceId, combination))?.pageFinder;
  }

  /** Must also be called for a cached page finder, because it grows when pages are read. */
  keep(workspaceId: number, { groupName }: ClientFilter, { combination, pageFinder }: CachedList): void {
    if (groupName !== undefined) {
      const named = { id: combination.groupId, stamp: pageFinder.stamp };
      this.#names.set(nameKey(workspaceId, groupName), named);
    }
    // In a new object, because the cache would not compute the size of the same value again.
    this.#lists.set(listKey(workspaceId, combination), { pageFinder });
  }
}

function listKey(workspaceId: number, combination: FilterCombination): string {
  return `${workspaceId} ${keyOf(combination)}`;
}

function nameKey(workspaceId: number, groupName: string): string {
  return `${workspaceId} ${groupName}`;
}
