import fc from 'fast-check';
import { OPERATOR } from '../../../domain/change.ts';
import type { Scope } from '../../../domain/credentials/scope.ts';
import { type ModelKey, type ModelWorkspace, type State, workspacesOf } from '../model/state.ts';
import { CALLERS } from '../view.ts';
import { actorOf, inWorkspace, mostly, operation, pick, type UntimedRequest, which, workspaceAt } from './operation.ts';

const HOUR_MS = 3_600_000;

const note = mostly(fc.constantFrom('', ' a note '), fc.constant('x'.repeat(501)));
const allowedNetworks = mostly(
  fc.constantFrom<string[]>([], [], ['10.0.0.0/8'], ['10.1.0.0/16', '10.2.0.0/16']),
  fc.constant(['nowhere']),
);
const rateLimit = mostly(fc.constantFrom(null, '0', '500/s,1000'), fc.constant('fast'));

export const KEY_OPERATIONS = [
  operation(
    4,
    'create key',
    fc.record({
      inWorkspace,
      by: which,
      name: mostly(fc.constant('key of'), fc.constant('')),
      scopes: mostly(
        fc.constantFrom<Scope[]>(['clients:read'], ['clients:write'], ['clients:read', 'clients:write']),
        fc.constant<Scope[]>([]),
      ),
      note,
      allowedNetworks,
      rateLimit,
      expiresIn: mostly(fc.constantFrom(undefined, undefined, 1, 10, 1000), fc.constantFrom(0, -1)),
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
        scopes: choice.scopes,
        note: choice.note,
        allowedNetworks: choice.allowedNetworks,
        rateLimit: choice.rateLimit,
        expiresAt: choice.expiresIn === undefined ? null : at + choice.expiresIn * HOUR_MS,
        createdBy: actor === OPERATOR ? undefined : actor.name,
      };
    },
  ),

  operation(
    5,
    'update key',
    fc.record({
      inWorkspace,
      by: which,
      key: which,
      change: fc.record(
        {
          name: mostly(fc.constant(true), fc.constant(false)),
          note,
          allowedNetworks,
          rateLimit,
          expiresIn: fc.constantFrom(null, null, 1, 1000, 1000, -1),
        },
        { requiredKeys: [] },
      ),
    }),
    (choice, { state, at }) => {
      const { name, expiresIn, ...change } = choice.change;
      const found = aKey(state, choice);
      return (
        found && {
          kind: 'update key',
          ...found,
          change: {
            ...change,
            // Different from all others, because the model identifies new keys by their names.
            ...(name !== undefined && { name: name ? ` renamed ${at}` : '' }),
            ...(expiresIn !== undefined && { expiresAt: expiresIn === null ? null : at + expiresIn * HOUR_MS }),
          },
        }
      );
    },
  ),

  operation(
    8,
    'roll key',
    fc.record({
      inWorkspace,
      by: which,
      key: which,
      overlapSeconds: mostly(fc.constantFrom(0, 1, 90, 86_400, 30 * 86_400), fc.constantFrom(-1, 30 * 86_400 + 1)),
      afterwards: fc.constantFrom('nothing', 'nothing', 'roll again', 'end the old secret'),
    }),
    (choice, { state, at }) => {
      const found = aKey(state, choice);
      if (!found) return aPlainKey(state, choice.inWorkspace, at);
      const roll: UntimedRequest = { kind: 'roll key', ...found, overlapSeconds: choice.overlapSeconds };
      if (choice.afterwards === 'nothing') return roll;
      return [
        roll,
        choice.afterwards === 'roll again' ? roll : { kind: 'end old secret', ...found, number: undefined },
      ];
    },
  ),

  operation(
    4,
    'end old secret',
    fc.record({ inWorkspace, by: which, key: which, number: fc.constantFrom(undefined, undefined, 1, 2, 3) }),
    (choice, { state }) => {
      const found = aKey(state, choice, isRolled);
      return found && { kind: 'end old secret', ...found, number: choice.number };
    },
  ),

  operation(2, 'revoke key', fc.record({ inWorkspace, by: which, key: which }), (choice, { state }) => {
    const found = aKey(state, choice);
    return found && { kind: 'revoke key', ...found };
  }),

  operation(1, 'revoke any key', fc.record({ key: which }), (choice, { state }) => {
    const keys = workspacesOf(state).flatMap((workspace) => workspace.keys);
    return { kind: 'revoke any key', actor: OPERATOR, keyId: pick(keys, choice.key)?.id ?? 'key_unknown' };
  }),

  operation(
    2,
    'count calls',
    fc.record({
      inWorkspace,
      calls: fc.array(fc.integer({ min: 1, max: 9 }), { minLength: 1, maxLength: 3 }),
      address: fc.constantFrom('', ...CALLERS),
    }),
    (choice, { state }) => {
      const { workspace } = workspaceAt(state, choice.inWorkspace);
      const calls = workspace.keys
        .slice(-choice.calls.length)
        .map((key, index) => ({ keyId: key.id, calls: choice.calls[index] ?? 1, address: choice.address }));
      return { kind: 'count calls', workspaceId: workspace.id, actor: OPERATOR, calls };
    },
  ),
];

/** So that there are keys to roll from the beginning of a run. */
function aPlainKey(state: State, index: number, at: number): UntimedRequest {
  const { id: workspaceId, environment } = workspaceAt(state, index).workspace;
  const nothing = { note: '', allowedNetworks: [], rateLimit: null, expiresAt: null, createdBy: undefined };
  const where = { kind: 'create key', workspaceId, environment, actor: OPERATOR } as const;
  return { ...where, name: `plain key ${at}`, scopes: ['clients:read'], ...nothing };
}

/** A key that a member or the operator wants to change, usually one that can be changed. */
function aKey(state: State, choice: { inWorkspace: number; by: number; key: number }, prefers = isOpen) {
  const { account, workspace } = workspaceAt(state, choice.inWorkspace);
  const preferred = workspace.keys.filter(prefers);
  const keyId = choice.key % 4 === 0 ? keyIn(state, workspace, choice.key / 4) : pick(preferred, choice.key)?.id;
  return keyId === undefined ? undefined : { workspaceId: workspace.id, actor: actorOf(account, choice.by), keyId };
}

function isOpen(key: ModelKey): boolean {
  return key.revokedAt === null;
}

function isRolled(key: ModelKey): boolean {
  return isOpen(key) && key.secrets.length > 1;
}

/** Usually a key of the workspace; sometimes one of another workspace, which must be refused. */
function keyIn(state: State, workspace: ModelWorkspace, which: number): string | undefined {
  const others = workspacesOf(state).flatMap((each) => (each === workspace ? [] : each.keys));
  return which % 8 === 0 ? (pick(others, which)?.id ?? 'key_unknown') : pick(workspace.keys, which)?.id;
}
