import { type ApiKey, hashSecret, makeKeyId, makeSecret, previewOf } from './api-key.ts';
import type { Clock } from './clock.ts';
import type { Environment } from './environment.ts';
import { Failure } from './failure.ts';
import { problemWithName } from './text.ts';

export const KEY_NAME_MAX_LENGTH = 120;

export interface ApiKeys {
  create(key: ApiKey, hash: string): Promise<void>;
  list(workspaceId: number): Promise<ApiKey[]>;
  /** Revokes and returns the key; one that was revoked before keeps its first time. */
  revoke(keyId: string, at: number): Promise<ApiKey | undefined>;
}

export async function createKey(
  deps: { keys: ApiKeys; clock: Clock },
  request: { workspaceId: number; environment: Environment; name: string; expiresAt?: number | null },
): Promise<{ key: ApiKey; secret: string }> {
  const name = request.name.trim();
  const problem = problemWithName(name, KEY_NAME_MAX_LENGTH);
  if (problem) throw new Failure('bad_parameter', `name ${problem}.`);
  const secret = makeSecret(request.environment);
  const key: ApiKey = {
    id: makeKeyId(),
    workspaceId: request.workspaceId,
    environment: request.environment,
    name,
    preview: previewOf(secret),
    createdAt: deps.clock.now(),
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
