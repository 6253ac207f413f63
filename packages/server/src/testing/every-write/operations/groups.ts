import fc from 'fast-check';
import { fold } from '../../../domain/text.ts';
import type { ModelGroup, ModelWorkspace } from '../model/state.ts';
import { groupName, TEMPORARY_GROUP } from './client-choices.ts';
import { actorOf, inWorkspace, operation, pick, which, workspaceAt } from './operation.ts';

/** More clients than a group has, so that they are merged in one change. */
export const MERGED_AT_ONCE = 1000;

/** A group that exists, usually, or any name. */
const anyGroup = fc.oneof({ weight: 4, arbitrary: which }, { weight: 1, arbitrary: groupName });

/** The token of the group, or the name. */
function tokenOrNameOf({ groups }: Pick<ModelWorkspace, 'groups'>, choice: number | string): string {
  return typeof choice === 'number' ? (pick(groups, choice)?.token ?? 'nothing') : choice;
}

function mergeablePairs(workspace: ModelWorkspace): { from: string; into: string }[] {
  const emailsOf = (group: ModelGroup) =>
    new Set(workspace.clients.filter((client) => client.group === group).map((client) => fold(client.email)));
  return workspace.groups.flatMap((from) =>
    workspace.groups
      .filter((into) => into !== from && emailsOf(from).isDisjointFrom(emailsOf(into)))
      .map((into) => ({ from: from.token, into: into.name })),
  );
}

export const GROUP_OPERATIONS = [
  operation(3, 'create group', fc.record({ inWorkspace, by: which, groupName }), (choice, { state }) => {
    const { account, workspace } = workspaceAt(state, choice.inWorkspace);
    const actor = actorOf(account, choice.by);
    return { kind: 'create group', workspaceId: workspace.id, actor, name: choice.groupName };
  }),

  operation(
    4,
    'rename group',
    fc.record({ inWorkspace, by: which, group: fc.oneof(which, groupName), to: groupName }),
    (choice, { state }) => {
      const { account, workspace } = workspaceAt(state, choice.inWorkspace);
      const actor = actorOf(account, choice.by);
      const tokenOrName = tokenOrNameOf(workspace, choice.group);
      return { kind: 'rename group', workspaceId: workspace.id, actor, tokenOrName, name: choice.to };
    },
  ),

  operation(
    4,
    'merge groups',
    fc.record({
      inWorkspace,
      by: which,
      // Usually groups that can be merged, which two random ones can rarely, because there are so few emails.
      groups: fc.oneof(
        { weight: 4, arbitrary: which },
        { weight: 1, arbitrary: fc.record({ from: anyGroup, into: anyGroup }) },
      ),
      clientsAtOnce: fc.constantFrom(1, 2, MERGED_AT_ONCE, MERGED_AT_ONCE),
    }),
    (choice, { state }) => {
      const { account, workspace } = workspaceAt(state, choice.inWorkspace);
      const { groups, clientsAtOnce } = choice;
      const pair =
        typeof groups === 'number'
          ? pick(mergeablePairs(workspace), groups)
          : { from: tokenOrNameOf(workspace, groups.from), into: tokenOrNameOf(workspace, groups.into) };
      if (!pair) return undefined;
      const actor = actorOf(account, choice.by);
      return { kind: 'merge groups', workspaceId: workspace.id, actor, ...pair, clientsAtOnce };
    },
  ),

  operation(3, 'delete group', fc.record({ inWorkspace, by: which, group: anyGroup }), (choice, { state }) => {
    const { account, workspace } = workspaceAt(state, choice.inWorkspace);
    const empty = workspace.groups.filter((group) => workspace.clients.every((client) => client.group !== group));
    const groups = [...empty, ...empty, ...workspace.groups];
    const tokenOrName = tokenOrNameOf({ groups }, choice.group);
    return { kind: 'delete group', workspaceId: workspace.id, actor: actorOf(account, choice.by), tokenOrName };
  }),

  operation(2, 'write group otherwise', fc.record({ inWorkspace, by: which, group: which }), (choice, { state }) => {
    const { account, workspace } = workspaceAt(state, choice.inWorkspace);
    const group = pick(workspace.groups, choice.group);
    if (!group) return undefined;
    const upper = group.name.toUpperCase();
    const name = group.name === upper ? group.name.toLowerCase() : upper;
    const actor = actorOf(account, choice.by);
    return { kind: 'rename group', workspaceId: workspace.id, actor, tokenOrName: group.name, name };
  }),

  operation(
    3,
    'swap names of groups',
    fc.record({ inWorkspace, by: which, one: which, other: which }),
    (choice, { state }) => {
      const { account, workspace } = workspaceAt(state, choice.inWorkspace);
      const [one, other] = [pick(workspace.groups, choice.one), pick(workspace.groups, choice.other)];
      if (!one || !other || one === other) return undefined;
      const by = { workspaceId: workspace.id, actor: actorOf(account, choice.by) };
      return [
        { kind: 'rename group', ...by, tokenOrName: one.name, name: TEMPORARY_GROUP },
        { kind: 'rename group', ...by, tokenOrName: other.name, name: one.name },
        { kind: 'rename group', ...by, tokenOrName: TEMPORARY_GROUP, name: other.name },
      ];
    },
  ),
];
