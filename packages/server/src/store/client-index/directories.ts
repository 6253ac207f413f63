import type { ClientFilter } from '../../domain/list-clients.ts';
import { ANY, type Combination, combinationFor, keyOf } from './combination.ts';
import type { Directory } from './directory.ts';

/** A list that has been asked for, and what is known of it. Both are of the directory's stamp. */
export interface KnownList {
  combination: Combination;
  directory: Directory;
}

/** Some 40 bytes each, so about 16 MB at most; the whole list of ten million has, by arithmetic, some 30,000 runs. */
const RUNS_KEPT = 400_000;

const NAMES_KEPT = 50_000;

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
  readonly #kept = new Map<string, { directory: Directory; weight: number }>();
  readonly #names = new Map<string, NamedGroup>();
  #weight = 0;

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
    return this.#kept.get(listKey(workspaceId, combination))?.directory;
  }

  keep(workspaceId: number, { groupName }: ClientFilter, { combination, directory }: KnownList): void {
    if (groupName !== undefined) {
      if (this.#names.size >= NAMES_KEPT) this.#names.clear();
      this.#names.set(nameKey(workspaceId, groupName), { id: combination.groupId, stamp: directory.stamp });
    }
    const key = listKey(workspaceId, combination);
    this.#forget(key);
    const { weight } = directory;
    this.#kept.set(key, { directory, weight });
    this.#weight += weight;
    for (const oldest of this.#kept.keys()) {
      if (this.#weight <= RUNS_KEPT || oldest === key) break;
      this.#forget(oldest);
    }
  }

  #forget(key: string): void {
    this.#weight -= this.#kept.get(key)?.weight ?? 0;
    this.#kept.delete(key);
  }
}

function listKey(workspaceId: number, combination: Combination): string {
  return `${workspaceId} ${keyOf(combination)}`;
}

function nameKey(workspaceId: number, groupName: string): string {
  return `${workspaceId} ${groupName}`;
}
