import { LRUCache } from 'lru-cache';
import type { ClientFilter } from '../../../domain/clients/client-filter.ts';
import { ANY, type Combination, combinationFor, keyOf } from './combination.ts';
import type { Directory } from './directory.ts';

/** A list that has been asked for, and what is known of it. Both are of the directory's stamp. */
export interface KnownList {
  combination: Combination;
  directory: Directory;
}

/** The whole list of ten million has some 30,000 runs, which is one megabyte. */
const LISTS_BYTES = 16 * 1024 * 1024;
const NAMES_BYTES = 2 * 1024 * 1024;

/** What the memory of a name takes beside its characters, measured. */
const NAME_BYTES = 250;

/** Which group had a name at one moment: a rename may give it to another. */
interface NamedGroup {
  id: number;
  stamp: string;
}

/**
 * What is in memory of the counted index, the longest unused forgotten first. Whoever uses it checks its stamp. A
 * directory is known by its combination, in which a group has its number: names change hands, numbers never do.
 */
export class Directories {
  readonly #lists: LRUCache<string, { directory: Directory }>;
  readonly #names: LRUCache<string, NamedGroup>;

  constructor({ listsBytes = LISTS_BYTES, namesBytes = NAMES_BYTES } = {}) {
    this.#lists = new LRUCache({
      maxSize: listsBytes,
      sizeCalculation: ({ directory }, key) => directory.bytes + 2 * key.length,
    });
    this.#names = new LRUCache({
      maxSize: namesBytes,
      sizeCalculation: ({ stamp }, key) => NAME_BYTES + 2 * (key.length + stamp.length),
    });
  }

  /** The list of a filter, if what the group's name means and what is counted of it are known of the same stamp. */
  find(workspaceId: number, filter: ClientFilter): KnownList | undefined {
    const group = filter.groupName === undefined ? undefined : this.#names.get(nameKey(workspaceId, filter.groupName));
    if (!group && filter.groupName !== undefined) return undefined;
    const combination = combinationFor(filter, group?.id ?? ANY);
    const directory = this.get(workspaceId, combination);
    if (!directory || (group && group.stamp !== directory.stamp)) return undefined;
    return { combination, directory };
  }

  get(workspaceId: number, combination: Combination): Directory | undefined {
    return this.#lists.get(listKey(workspaceId, combination))?.directory;
  }

  /** Also when it is in memory already: a directory grows as pages are asked for. */
  keep(workspaceId: number, { groupName }: ClientFilter, { combination, directory }: KnownList): void {
    if (groupName !== undefined) {
      const named = { id: combination.groupId, stamp: directory.stamp };
      this.#names.set(nameKey(workspaceId, groupName), named);
    }
    // In an object of its own, because the size of what it holds already would not be looked at again.
    this.#lists.set(listKey(workspaceId, combination), { directory });
  }
}

function listKey(workspaceId: number, combination: Combination): string {
  return `${workspaceId} ${keyOf(combination)}`;
}

function nameKey(workspaceId: number, groupName: string): string {
  return `${workspaceId} ${groupName}`;
}
