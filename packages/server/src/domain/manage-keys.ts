import { type ApiKey, hashSecret, makeKeyId, makeSecret, previewOf } from './api-key.ts';
import type { Clock } from './clock.ts';
import type { Environment } from './environment.ts';
import { Failure } from './failure.ts';
import { requireName } from './name.ts';

export interface ApiKeys {
  create(key: ApiKey, hash: string): Promise<void>;
  list(workspaceId: number): Promise<ApiKey[]>;
  /** Revokes and returns the key; one that was revoked before keeps its first time. */
  revoke(keyId: string, at: number): Promise<ApiKey | undefined>;
  /** The same for a key of this workspace only. */
  revokeIn(workspaceId: number, keyId: string, at: number): Promise<ApiKey | undefined>;
}

export async function createKey(
  deps: { keys: ApiKeys; clock: Clock },
  request: {
    workspaceId: number;
    environment: Environment;
    name: string;
    expiresAt?: number | null;
    createdBy?: string;
  },
): Promise<{ key: ApiKey; secret: string }> {
  const name = requireName(request.name);
  const secret = makeSecret(request.environment);
  const key: ApiKey = {
    id: makeKeyId(),
    workspaceId: request.workspaceId,
    environment: request.environment,
    name,
    preview: previewOf(secret),
    createdAt: deps.clock.now(),
    createdBy: request.createdBy ?? null,
    expiresAt: request.expiresAt ?? null,
    revokedAt: null,
  };
  await deps.keys.create(key, hashSecret(secret));
  return { key, secret };
}

export async function revokeKey(deps: { keys: ApiKeys; clock: Clock }, keyId: string): Promise<ApiKey> {
  const key = await deps.keys.revoke(keyId, deps.clock.now());
  if (!key) throw new Failure('not_found', `No key has the id ${keyId}. \`rollcall key list\` shows them.`);
  return key;
}
