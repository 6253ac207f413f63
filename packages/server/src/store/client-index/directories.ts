import type { ClientFilter } from '../../domain/list-clients.ts';
import type { Combination } from './combination.ts';
import type { Directory } from './directory.ts';

/** A list that has been asked for, and what is known of it. Both are of the directory's version. */
export interface KnownList {
  combination: Combination;
  directory: Directory;
}

/** Some 40 bytes each, so about 16 MB at most; the whole list of ten million has, by arithmetic, some 30,000 runs. */
const RUNS_KEPT = 400_000;

/** What is in memory of the counted index, the longest unused forgotten first. Whoever uses it checks its version. */
export class Directories {
  readonly #kept = new Map<string, KnownList & { weight: number }>();
  #weight = 0;

  get(workspaceId: number, filter: ClientFilter): KnownList | undefined {
    return this.#kept.get(listKey(workspaceId, filter));
  }

  keep(workspaceId: number, filter: ClientFilter, list: KnownList): void {
    const key = listKey(workspaceId, filter);
    this.#forget(key);
    const { weight } = list.directory;
    this.#kept.set(key, { ...list, weight });
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

/** By the group's name and not its number: a name that is given to another group comes with a new version. */
function listKey(workspaceId: number, { groupName, requestStatus, clientType }: ClientFilter): string {
  return `${workspaceId} ${requestStatus ?? ''} ${clientType ?? ''} ${groupName ?? ''}`;
}
