import type { RequestTo } from '../requests.ts';
import { type ChangeContext, recordChange } from './record.ts';
import { refuse, refuseIf } from './refusal.ts';
import {
  findWorkspace,
  type ModelAccount,
  type ModelKey,
  type ModelWorkspace,
  type State,
  workspacesOf,
  workspaceToChange,
} from './state.ts';
import { isName, KEY_NAME_MAX } from './text-rules.ts';

const DAY_MS = 86_400_000;

export function createKey(state: State, request: RequestTo<'create key'>) {
  refuseIf(request.expiresAt !== null && request.expiresAt <= request.at, 'bad_parameter');
  refuseIf(!isName(request.name, KEY_NAME_MAX), 'bad_parameter');
  const target = workspaceToChange(state, request);
  const key: ModelKey = {
    id: '',
    preview: '',
    name: request.name.trim(),
    createdAt: request.at,
    createdBy: request.createdBy ?? null,
    expiresAt: request.expiresAt,
    revokedAt: null,
    calls: [],
    lastUsedAt: null,
  };
  target.workspace.keys.push(key);
  recordChange(target, request, 'key.created', { key });
  return { name: key.name, createdBy: key.createdBy, expiresAt: key.expiresAt };
}

export function revokeKey(state: State, request: RequestTo<'revoke key'>) {
  return revoke(workspaceToChange(state, request), request, request.keyId);
}

/** For an operator, who need not name the workspace. */
export function revokeAnyKey(state: State, request: RequestTo<'revoke any key'>) {
  const workspace = workspacesOf(state).find((each) => each.keys.some((key) => key.id === request.keyId));
  return revoke(findWorkspace(state, workspace?.id ?? refuse('not_found')), request, request.keyId);
}

/** A key that is already revoked stays as it is, and no activity entry is added. */
function revoke(target: { account: ModelAccount; workspace: ModelWorkspace }, context: ChangeContext, keyId: string) {
  const key = target.workspace.keys.find((each) => each.id === keyId) ?? refuse('not_found');
  if (key.revokedAt === null) {
    key.revokedAt = context.at;
    recordChange(target, context, 'key.revoked', { key });
  }
  return { keyId, revokedAt: key.revokedAt };
}

/** Bookkeeping, which is not a change. */
export function countCalls(state: State, request: RequestTo<'count calls'>) {
  const { workspace } = findWorkspace(state, request.workspaceId);
  for (const { keyId, calls } of request.calls) {
    const key = workspace.keys.find((each) => each.id === keyId);
    key?.calls.push({ day: Math.floor(request.at / DAY_MS), calls });
    if (key) key.lastUsedAt = request.at;
  }
  return null;
}
