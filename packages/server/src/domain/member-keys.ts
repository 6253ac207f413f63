import { type RecordDeps, record } from './activity.ts';
import type { ApiKey } from './api-key.ts';
import type { KeysEnded } from './ended-keys.ts';
import type { Environment } from './environment.ts';
import { Failure } from './failure.ts';
import { dayOf, type KeyUsageStore } from './key-usage.ts';
import { type ApiKeys, createKey } from './manage-keys.ts';
import type { Actor } from './member.ts';

/** Calls are shown for this many days, today included. */
const USAGE_DAYS = 30;

export interface MemberKeysDeps extends RecordDeps {
  keys: ApiKeys;
  keyUsage: KeyUsageStore;
  keysEnded: KeysEnded;
}

export interface UsedKey extends ApiKey {
  lastUsedAt: number | null;
  recentCalls: number;
}

export async function listUsedKeys(deps: MemberKeysDeps, workspaceId: number): Promise<UsedKey[]> {
  const [keys, usage] = await Promise.all([
    deps.keys.list(workspaceId),
    deps.keyUsage.ofKeys(workspaceId, dayOf(deps.clock.now()) - USAGE_DAYS + 1),
  ]);
  return keys.map((key) => {
    const used = usage.get(key.id);
    return { ...key, lastUsedAt: used?.lastUsedAt ?? null, recentCalls: used?.calls ?? 0 };
  });
}

export async function createMemberKey(
  deps: MemberKeysDeps,
  actor: Actor,
  request: { workspaceId: number; environment: Environment; name: string; expiresAt: number | null },
): Promise<{ key: ApiKey; secret: string }> {
  if (request.expiresAt !== null && request.expiresAt <= deps.clock.now()) {
    throw new Failure('bad_parameter', 'expires_at must be in the future.');
  }
  const made = await createKey(deps, { ...request, createdBy: actor.email });
  await record(deps, actor, 'key.created', `${made.key.name} (${made.key.preview})`, request.environment);
  return made;
}

export async function revokeMemberKey(
  deps: MemberKeysDeps,
  actor: Actor,
  request: { workspaceId: number; environment: Environment; keyId: string },
): Promise<void> {
  const key = await deps.keys.revokeIn(request.workspaceId, request.keyId, deps.clock.now());
  if (!key) throw new Failure('not_found', 'There is no such key.');
  await deps.keysEnded([key.id]);
  await record(deps, actor, 'key.revoked', `${key.name} (${key.preview})`, request.environment);
}
