import type { ChangeBy, ChangeWorkspace, WorkspaceRecorder } from '../change.ts';
import type { Clock } from '../clock.ts';
import { Failure } from '../failure.ts';
import { fold } from '../text.ts';
import { type CountedGroup, type Group, requireGroupName } from './group.ts';

/** Changes to groups within a transaction. */
export interface GroupChanges {
  /** Fails with `conflict` if another group has the name. */
  create(name: string): Promise<Group>;
  byToken(token: string): Promise<Group | undefined>;
  /** The group with this token, or else with this folded name. */
  find(tokenOrName: string): Promise<Group | undefined>;
  /** The group with this name, which is created if it does not exist. */
  ensure(name: string): Promise<Group>;
  /** The number of clients of the group with this token. */
  sizeOf(token: string): Promise<number>;
  /** Finds the group by its token or its folded name. Returns `undefined` if there is none. */
  rename(tokenOrName: string, name: string): Promise<{ group: Group; formerName: string } | undefined>;
  /** Moves up to `limit` clients, the oldest first, from one group to another. Both are given by their tokens. */
  moveClients(from: string, into: string, limit: number): Promise<MovedClients>;
  /** Removes the group with this token, which must not have clients. */
  remove(token: string): Promise<void>;
}

/** A client in a message to a person. */
export interface ClientName {
  referenceId: string;
  name: string;
}

export interface MovedClients {
  moved: number;
  /** Whether the group has further clients. */
  hasMore: boolean;
  /** The clients whose email a client of the other group has. Unless there are none, nobody is moved. */
  sameEmail: readonly ClientName[];
}

type GroupWriting = { groups: GroupChanges } & WorkspaceRecorder;

export interface Groups {
  /** Sorted by name, with the number of clients in each group, in total and by request status. */
  list(workspaceId: number): Promise<CountedGroup[]>;
  /**
   * Up to `limit` clients of one group whose email a client of the other one has. The groups are given by
   * their tokens or folded names.
   */
  sharedEmails(workspaceId: number, from: string, into: string, limit: number): Promise<ClientName[]>;
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
  return changeWorkspace({ ...by, at: clock.now() }, (change) => createGroupIn(change, checked));
}

/** The same within a change. */
export async function createGroupIn(change: GroupWriting, name: string): Promise<Group> {
  const checked = requireGroupName(name);
  change.record('group.created', checked);
  return change.groups.create(checked);
}

export async function renameGroup(
  { changeWorkspace, clock }: ManageGroupsDeps,
  by: ChangeBy,
  tokenOrName: string,
  name: string,
): Promise<Group> {
  const checked = requireGroupName(name);
  return changeWorkspace({ ...by, at: clock.now() }, (change) => renameGroupIn(change, tokenOrName, checked));
}

/** The same within a change. */
export async function renameGroupIn(change: GroupWriting, tokenOrName: string, name: string): Promise<Group> {
  const checked = requireGroupName(name);
  const renamed = await change.groups.rename(fold(tokenOrName), checked);
  if (!renamed) throw unknownGroup(tokenOrName);
  change.record('group.renamed', `${renamed.formerName} to ${checked}`);
  return renamed.group;
}

/** Renames the group with this token, and counts its clients. */
export async function renameGroupByToken(
  change: GroupWriting,
  token: string,
  name: string,
): Promise<Group & { clients: number }> {
  const group = await change.groups.byToken(token.toLowerCase());
  if (!group) throw new Failure('not_found', `There is no group with the token ${token}.`);
  return { ...(await renameGroupIn(change, group.token, name)), clients: await change.groups.sizeOf(group.token) };
}

/** Deletes a group without clients. */
export async function deleteGroup(
  { changeWorkspace, clock }: ManageGroupsDeps,
  by: ChangeBy,
  tokenOrName: string,
): Promise<Group> {
  return changeWorkspace({ ...by, at: clock.now() }, async (change) => {
    const group = await requireGroup(change, tokenOrName);
    const clients = await change.groups.sizeOf(group.token);
    if (clients > 0) {
      const count = clients === 1 ? '1 client' : `${clients} clients`;
      throw new Failure('conflict', `The group ${group.name} has ${count}. Merge it into another group instead.`);
    }
    await change.groups.remove(group.token);
    change.record('group.deleted', group.name);
    return group;
  });
}

export async function requireGroup({ groups }: { groups: GroupChanges }, tokenOrName: string): Promise<Group> {
  const group = await groups.find(fold(tokenOrName));
  if (!group) throw unknownGroup(tokenOrName);
  return group;
}

function unknownGroup(tokenOrName: string): Failure {
  return new Failure('not_found', `There is no group with the name or token ${tokenOrName}.`);
}

export interface GroupsPage {
  pageNumber: number;
  pageLimit: number;
  totalCount: number;
  totalPages: number;
  groups: CountedGroup[];
}

/** One page of the groups, by name. */
export async function listGroups(
  { groups }: { groups: Groups },
  workspaceId: number,
  { pageNumber, pageLimit }: { pageNumber: number; pageLimit: number },
): Promise<GroupsPage> {
  const all = await groups.list(workspaceId);
  const start = (pageNumber - 1) * pageLimit;
  return {
    pageNumber,
    pageLimit,
    totalCount: all.length,
    totalPages: Math.ceil(all.length / pageLimit),
    groups: all.slice(start, start + pageLimit),
  };
}
