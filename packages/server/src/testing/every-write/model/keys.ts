import type { RequestTo } from '../requests.ts';
import { type Occasion, recordChange } from './record.ts';
import { refuse, refuseIf } from './refusal.ts';
import {
  changing,
  findWorkspace,
  type ModelAccount,
  type ModelKey,
  type ModelWorkspace,
  type State,
  workspacesOf,
} from './state.ts';
import { isName, KEY_NAME_MAX } from './text-rules.ts';

const DAY_MS = 86_400_000;

export function createKey(state: State, request: RequestTo<'create key'>) {
  refuseIf(request.expiresAt !== null && request.expiresAt <= request.at, 'bad_parameter');
  refuseIf(!isName(request.name, KEY_NAME_MAX), 'bad_parameter');
  const place = changing(state, request);
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
  place.workspace.keys.push(key);
  recordChange(place, request, 'key.created', { key });
  return { name: key.name, createdBy: key.createdBy, expiresAt: key.expiresAt };
}

export function revokeKey(state: State, request: RequestTo<'revoke key'>) {
  return revoke(changing(state, request), request, request.keyId);
}

/** By an operator, who need not say whose it is. */
export function revokeAnyKey(state: State, request: RequestTo<'revoke any key'>) {
  const workspace = workspacesOf(state).find((each) => each.keys.some((key) => key.id === request.keyId));
  return revoke(findWorkspace(state, workspace?.id ?? refuse('not_found')), request, request.keyId);
}

/** A key that was revoked before stays as it is, and nothing is put on record. */
function revoke(place: { account: ModelAccount; workspace: ModelWorkspace }, occasion: Occasion, keyId: string) {
  const key = place.workspace.keys.find((each) => each.id === keyId) ?? refuse('not_found');
  if (key.revokedAt === null) {
    key.revokedAt = occasion.at;
    recordChange(place, occasion, 'key.revoked', { key });
  }
  return { keyId, revokedAt: key.revokedAt };
}

/** Bookkeeping: nobody's change. */
export function countCalls(state: State, request: RequestTo<'count calls'>) {
  const { workspace } = findWorkspace(state, request.workspaceId);
  for (const { keyId, calls } of request.calls) {
    const key = workspace.keys.find((each) => each.id === keyId);
    key?.calls.push({ day: Math.floor(request.at / DAY_MS), calls });
    if (key) key.lastUsedAt = request.at;
  }
  return null;
}
