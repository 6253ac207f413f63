import type { ChangeBy, ChangeWorkspace } from '../change.ts';
import type { Clock } from '../clock.ts';
import { Failure } from '../failure.ts';
import { fold } from '../text.ts';
import { type CountedGroup, type Group, requireGroupName } from './group.ts';

/** Changes to groups within a transaction. */
export interface GroupChanges {
  /** Fails with `conflict` if another group has the name. */
  create(name: string): Promise<Group>;
  /** Finds the group by its token or its folded name. Returns `undefined` if there is none. */
  rename(tokenOrName: string, name: string): Promise<{ group: Group; formerName: string } | undefined>;
}

export interface Groups {
  /** Sorted by name, with the number of clients in each group, in total and by request status. */
  list(workspaceId: number): Promise<CountedGroup[]>;
}

export interface ManageGroupsDeps {
  changeWorkspace: ChangeWorkspace<{ groups: GroupChanges }>;
  clock: Clock;
}

export async function createGroup(
  { changeWorkspace, clock }: ManageGroupsDeps,
  by: ChangeBy,
  name: string,
): Promise<Group> {
  const checked = requireGroupName(name);
  return changeWorkspace({ ...by, at: clock.now() }, async (change) => {
    change.record('group.created', checked);
    return change.groups.create(checked);
  });
}

export async function renameGroup(
  { changeWorkspace, clock }: ManageGroupsDeps,
  by: ChangeBy,
  tokenOrName: string,
  name: string,
): Promise<Group> {
  const checked = requireGroupName(name);
  return changeWorkspace({ ...by, at: clock.now() }, async (change) => {
    const renamed = await change.groups.rename(fold(tokenOrName), checked);
    if (!renamed) throw new Failure('not_found', `There is no group with the name or token ${tokenOrName}.`);
    change.record('group.renamed', `${renamed.formerName} to ${checked}`);
    return renamed.group;
  });
}
