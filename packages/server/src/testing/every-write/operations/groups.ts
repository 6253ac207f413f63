import fc from 'fast-check';
import { groupName, TEMPORARY_GROUP } from './client-choices.ts';
import { actorOf, inWorkspace, operation, pick, which, workspaceAt } from './operation.ts';

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
      const tokenOrName =
        typeof choice.group === 'number' ? (pick(workspace.groups, choice.group)?.token ?? 'nothing') : choice.group;
      return { kind: 'rename group', workspaceId: workspace.id, actor, tokenOrName, name: choice.to };
    },
  ),

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
