import type { Actor, ChangeBy, ChangeWorkspace, WorkspaceRecorder } from '../change.ts';
import type { Clock } from '../clock.ts';
import type { Environment } from '../environment.ts';
import { Failure } from '../failure.ts';
import { hashSecret } from '../secret.ts';
import { requireName } from '../text.ts';
import { type ApiKey, makeKeyId, makeSecret, previewOf } from './api-key.ts';
import type { OnKeysRevoked } from './ended-keys.ts';

/** Changes to API keys within a transaction. */
export interface KeyChanges {
  create(key: ApiKey, hash: string): Promise<void>;
  /** Revokes the key and returns it. A key that was already revoked keeps the time of its first revocation. */
  revoke(keyId: string): Promise<ApiKey | undefined>;
  /** The keys created by this member that have not been revoked, oldest first. */
  createdBy(email: string): Promise<ApiKey[]>;
}

export interface ApiKeys {
  list(workspaceId: number): Promise<ApiKey[]>;
  /** The workspace of the key. For operators, who may access all workspaces. */
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
    change.record('key.created', labelOfKey(key));
  });
  return { key, secret };
}

/** Returns once no process of this machine accepts an access token of the key. */
export async function revokeKey(
  deps: ManageKeysDeps & { onKeysRevoked: OnKeysRevoked },
  by: ChangeBy,
  keyId: string,
): Promise<ApiKey> {
  const key = await revoke(deps, by, keyId);
  await deps.onKeysRevoked([key.id]);
  return key;
}

/** Revokes a key on the command line, where the operator need not name its workspace and no tokens are accepted. */
export async function revokeAnyKey(
  deps: ManageKeysDeps & { keys: ApiKeys },
  actor: Actor,
  keyId: string,
): Promise<ApiKey> {
  const workspaceId = await deps.keys.workspaceOf(keyId);
  if (workspaceId === undefined) {
    throw new Failure('not_found', `There is no API key with the id ${keyId}. \`rollcall key list\` shows all keys.`);
  }
  return revoke(deps, { workspaceId, actor }, keyId);
}

function revoke({ changeWorkspace, clock }: ManageKeysDeps, by: ChangeBy, keyId: string): Promise<ApiKey> {
  return changeWorkspace({ ...by, at: clock.now() }, (change) => revokeInChange(change, keyId));
}

/** Revokes a key as part of a larger change of its workspace: `removeMember` revokes all keys of a member. */
export async function revokeInChange(change: { keys: KeyChanges } & WorkspaceRecorder, keyId: string): Promise<ApiKey> {
  const key = await change.keys.revoke(keyId);
  if (!key) throw new Failure('not_found', 'There is no such API key.');
  change.record('key.revoked', labelOfKey(key));
  return key;
}

/** The name of a key in the activity log. */
function labelOfKey({ name, preview }: ApiKey): string {
  return `${name} (${preview})`;
}
