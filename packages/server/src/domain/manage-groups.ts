import type { Clock } from './clock.ts';
import { Failure } from './failure.ts';
import { type CountedGroup, type Group, requireGroupName } from './group.ts';
import { fold } from './text.ts';

export interface Groups {
  /** A name that is taken is a `conflict`. */
  create(workspaceId: number, name: string, createdAt: number): Promise<Group>;
  /** Finds the group by its token or its folded name; nothing when there is none. */
  rename(workspaceId: number, tokenOrName: string, name: string): Promise<Group | undefined>;
  /** By name, with the number of clients in each. */
  list(workspaceId: number): Promise<CountedGroup[]>;
}

export async function createGroup(
  deps: { groups: Groups; clock: Clock },
  workspaceId: number,
  name: string,
): Promise<Group> {
  return deps.groups.create(workspaceId, requireGroupName(name), deps.clock.now());
}

export async function renameGroup(
  deps: { groups: Groups },
  workspaceId: number,
  tokenOrName: string,
  name: string,
): Promise<Group> {
  const group = await deps.groups.rename(workspaceId, fold(tokenOrName), requireGroupName(name));
  if (!group) throw new Failure('not_found', `No group has the name or token ${tokenOrName}.`);
  return group;
}
