import type { Actor, ChangeBy, ChangeWorkspace } from '../change.ts';
import type { Clock } from '../clock.ts';
import type { Environment } from '../environment.ts';
import { Failure } from '../failure.ts';
import { hashSecret } from '../secret.ts';
import { requireName } from '../text.ts';
import { type ApiKey, makeKeyId, makeSecret, previewOf } from './api-key.ts';
import type { KeysEnded } from './ended-keys.ts';

/** What a change may do to keys. */
export interface KeyChanges {
  create(key: ApiKey, hash: string): Promise<void>;
  /** Revokes and returns the key; one that was revoked before keeps its first time. */
  revoke(keyId: string): Promise<ApiKey | undefined>;
  /** Those that this member has created and nobody has revoked, oldest first. */
  createdBy(email: string): Promise<ApiKey[]>;
}

export interface ApiKeys {
  list(workspaceId: number): Promise<ApiKey[]>;
  /** The workspace that has this key. For operators, whose reach is the installation. */
  workspaceOf(keyId: string): Promise<number | undefined>;
}

export interface ManageKeysDeps {
  changeWorkspace: ChangeWorkspace<{ keys: KeyChanges }>;
  clock: Clock;
}

export async function createKey(
  { changeWorkspace, clock }: ManageKeysDeps,
  by: ChangeBy,
  request: { environment: Environment; name: string; expiresAt?: number | null; createdBy?: string },
): Promise<{ key: ApiKey; secret: string }> {
  const at = clock.now();
  const { expiresAt = null, createdBy = null } = request;
  if (expiresAt !== null && expiresAt <= at) throw new Failure('bad_parameter', 'expires_at must be in the future.');
  const secret = makeSecret(request.environment);
  const key: ApiKey = {
    id: makeKeyId(),
    workspaceId: by.workspaceId,
    environment: request.environment,
    name: requireName(request.name),
    preview: previewOf(secret),
    createdAt: at,
    createdBy,
    expiresAt,
    revokedAt: null,
  };
  await changeWorkspace({ ...by, at }, async (change) => {
    await change.keys.create(key, hashSecret(secret));
    change.record('key.created', labelOf(key));
  });
  return { key, secret };
}

/** Says that it is done once no process of this machine takes a token of the key. */
export async function revokeKey(
  deps: ManageKeysDeps & { keysEnded: KeysEnded },
  by: ChangeBy,
  keyId: string,
): Promise<ApiKey> {
  const key = await revoke(deps, by, keyId);
  await deps.keysEnded([key.id]);
  return key;
}

/** By an operator, who need not say whose key it is, from a process that takes no tokens itself. */
export async function revokeAnyKey(
  deps: ManageKeysDeps & { keys: ApiKeys },
  actor: Actor,
  keyId: string,
): Promise<ApiKey> {
  const workspaceId = await deps.keys.workspaceOf(keyId);
  if (workspaceId === undefined) {
    throw new Failure('not_found', `No key has the id ${keyId}. \`rollcall key list\` shows them.`);
  }
  return revoke(deps, { workspaceId, actor }, keyId);
}

function revoke({ changeWorkspace, clock }: ManageKeysDeps, by: ChangeBy, keyId: string): Promise<ApiKey> {
  return changeWorkspace({ ...by, at: clock.now() }, async (change) => {
    const key = await change.keys.revoke(keyId);
    if (!key) throw new Failure('not_found', 'There is no such key.');
    change.record('key.revoked', labelOf(key));
    return key;
  });
}

/** How the record names a key. */
export function labelOf({ name, preview }: ApiKey): string {
  return `${name} (${preview})`;
}
