import fc from 'fast-check';
import { OPERATOR } from '../../../domain/change.ts';
import { type ModelWorkspace, type State, workspacesOf } from '../model/state.ts';
import { actorOf, inWorkspace, mostly, operation, pick, which, workspaceAt } from './operation.ts';

const HOUR_MS = 3_600_000;

export const KEY_OPERATIONS = [
  operation(
    4,
    'create key',
    fc.record({
      inWorkspace,
      by: which,
      name: mostly(fc.constant('key of'), fc.constant('')),
      expiresIn: mostly(fc.constantFrom(undefined, 1, 10, 1000), fc.constantFrom(0, -1)),
    }),
    (choice, { state, at }) => {
      const { account, workspace } = workspaceAt(state, choice.inWorkspace);
      const { id: workspaceId, environment } = workspace;
      const actor = actorOf(account, choice.by);
      return {
        kind: 'create key',
        workspaceId,
        environment,
        actor,
        // The model identifies keys by their names.
        name: choice.name && `${choice.name} ${at} `,
        expiresAt: choice.expiresIn === undefined ? null : at + choice.expiresIn * HOUR_MS,
        createdBy: actor === OPERATOR ? undefined : actor.name,
      };
    },
  ),

  operation(3, 'revoke key', fc.record({ inWorkspace, by: which, key: which }), (choice, { state }) => {
    const { account, workspace } = workspaceAt(state, choice.inWorkspace);
    const keyId = keyIn(state, workspace, choice.key);
    const actor = actorOf(account, choice.by);
    return keyId === undefined ? undefined : { kind: 'revoke key', workspaceId: workspace.id, actor, keyId };
  }),

  operation(1, 'revoke any key', fc.record({ key: which }), (choice, { state }) => {
    const keys = workspacesOf(state).flatMap((workspace) => workspace.keys);
    return { kind: 'revoke any key', actor: OPERATOR, keyId: pick(keys, choice.key)?.id ?? 'key_unknown' };
  }),

  operation(
    2,
    'count calls',
    fc.record({ inWorkspace, calls: fc.array(fc.integer({ min: 1, max: 9 }), { minLength: 1, maxLength: 3 }) }),
    (choice, { state }) => {
      const { workspace } = workspaceAt(state, choice.inWorkspace);
      const calls = workspace.keys
        .slice(-choice.calls.length)
        .map((key, index) => ({ keyId: key.id, calls: choice.calls[index] ?? 1 }));
      return { kind: 'count calls', workspaceId: workspace.id, actor: OPERATOR, calls };
    },
  ),
];

/** Usually a key of the workspace; sometimes one of another workspace, which must be refused. */
function keyIn(state: State, workspace: ModelWorkspace, which: number): string | undefined {
  const others = workspacesOf(state).flatMap((each) => (each === workspace ? [] : each.keys));
  return which % 8 === 0 ? (pick(others, which)?.id ?? 'key_unknown') : pick(workspace.keys, which)?.id;
}
