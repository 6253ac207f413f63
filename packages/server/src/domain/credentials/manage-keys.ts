import type { Actor, ChangeBy, ChangeWorkspace, WorkspaceRecorder } from '../change.ts';
import type { Clock } from '../clock.ts';
import type { Environment } from '../environment.ts';
import { Failure } from '../failure.ts';
import { hashSecret } from '../secret.ts';
import { requireName } from '../text.ts';
import { formatTime } from '../time.ts';
import { TOKEN_MAX_SECONDS } from './access-token.ts';
import {
  type ApiKey,
  containsSecret,
  currentSecret,
  type KeySecret,
  makeKeyId,
  makeSecret,
  previewOf,
} from './api-key.ts';
import { KEYS_MAX } from './key-bounds.ts';
import type { ApiKeys, KeyChanges, KeyFields, NewKey } from './key-changes.ts';
import { factsOf, NOBODY_TO_TELL, type OnKeysChanged } from './key-facts.ts';
import { requireFuture, requireNetworks, requireNote, requireRateLimit, requireScopes } from './key-values.ts';
import { DEFAULT_SCOPES, type Scope } from './scope.ts';

export interface ManageKeysDeps {
  changeWorkspace: ChangeWorkspace<{ keys: KeyChanges }>;
  clock: Clock;
}

/** For changes that every process of this machine must follow before they are answered. */
export interface ChangeKeyDeps extends ManageKeysDeps {
  onKeysChanged: OnKeysChanged;
}

export interface NewKeyRequest extends Partial<Omit<KeyFields, 'name'>> {
  environment: Environment;
  name: string;
  scopes?: readonly Scope[];
  createdBy?: string;
}

export async function createKey(
  { changeWorkspace, clock }: ManageKeysDeps,
  by: ChangeBy,
  request: NewKeyRequest,
): Promise<{ key: ApiKey; secret: string }> {
  const at = clock.now();
  const secret = makeSecret(request.environment);
  const first: KeySecret = { number: 1, preview: previewOf(secret), createdAt: at, endsAt: null, endedAt: null };
  const newKey: NewKey = {
    id: makeKeyId(),
    workspaceId: by.workspaceId,
    environment: request.environment,
    scopes: requireScopes(request.scopes ?? DEFAULT_SCOPES),
    createdAt: at,
    createdBy: request.createdBy ?? null,
    ...requireFields({ note: '', allowedNetworks: [], expiresAt: null, rateLimit: null, ...request }, at),
  };
  const key = await changeWorkspace({ ...by, at }, async (change) => {
    await makeRoom(change.keys, at);
    const created = await change.keys.create(newKey, first, hashSecret(secret));
    change.record('key.created', labelOfKey(created));
    return created;
  });
  return { key, secret };
}

/** The record of a key that was revoked long ago makes room for a new one: no token of it lives, and its id is refused anyway. */
async function makeRoom(keys: KeyChanges, at: number): Promise<void> {
  if ((await keys.count()) < KEYS_MAX) return;
  if (await keys.removeOldestRevoked(at - TOKEN_MAX_SECONDS * 1000)) return;
  throw new Failure(
    'conflict',
    `This environment has ${KEYS_MAX} API keys, which is the most. Revoke those that nothing needs; a day later they make room for new ones.`,
  );
}

/** Changes the given fields. A revoked key stays as it is, so that its record can be trusted. */
export async function updateKey(
  deps: ChangeKeyDeps,
  by: ChangeBy,
  keyId: string,
  wanted: Partial<KeyFields>,
): Promise<ApiKey> {
  const at = deps.clock.now();
  const key = await deps.changeWorkspace({ ...by, at }, async (change) => {
    const before = await findInChange(change, keyId);
    if (before.revokedAt !== null) throw revokedConflict();
    const fields = requireFields(
      { ...before, ...wanted },
      wanted.expiresAt === undefined ? undefined : at,
      before.name,
    );
    const changed = FIELD_NAMES.filter(([field]) => String(fields[field]) !== String(before[field]));
    if (changed.length === 0) return before;
    const after = await change.keys.update(keyId, fields);
    const names = changed.map(([, , name]) => name).join(', ');
    const values = { from: valuesOf(before, changed), to: valuesOf(after, changed) };
    change.record('key.updated', `${labelOfKey(after)}: ${names}`, { changed: values });
    return after;
  });
  await deps.onKeysChanged([factsOf(key)]);
  return key;
}

type FieldName = readonly [keyof KeyFields, string, string];

/** The fields as records and as the activity log name them. */
const FIELD_NAMES: readonly FieldName[] = [
  ['name', 'name', 'name'],
  ['note', 'note', 'note'],
  ['allowedNetworks', 'allowed_networks', 'allowed addresses'],
  ['expiresAt', 'expires_at', 'expiry'],
  ['rateLimit', 'rate_limit', 'rate limit'],
];

function valuesOf(key: KeyFields, names: readonly FieldName[]): Record<string, unknown> {
  return Object.fromEntries(
    names.map(([field, name]) => {
      const value = key[field];
      return [name, typeof value === 'number' ? formatTime(value) : value];
    }),
  );
}

/** Without `now`, the expiry is not checked, because it stays as it was, and neither is a name that stays. */
function requireFields(fields: KeyFields, now: number | undefined, formerName?: string): KeyFields {
  return {
    name: fields.name === formerName ? formerName : requireName(fields.name),
    note: requireNote(fields.note),
    allowedNetworks: requireNetworks(fields.allowedNetworks),
    expiresAt: now === undefined ? fields.expiresAt : requireFuture(fields.expiresAt, now),
    rateLimit: requireRateLimit(fields.rateLimit),
  };
}

/** Returns once no process of this machine accepts an access token of the key. */
export async function revokeKey(deps: ChangeKeyDeps, by: ChangeBy, keyId: string): Promise<ApiKey> {
  const at = deps.clock.now();
  const key = await deps.changeWorkspace({ ...by, at }, (change) => revokeInChange(change, keyId));
  await deps.onKeysChanged([factsOf(key)]);
  return key;
}

/** Revokes a key on the command line, where the operator need not name its workspace and no tokens are accepted. */
export async function revokeAnyKey(
  deps: ManageKeysDeps & { keys: ApiKeys },
  actor: Actor,
  keyId: string,
): Promise<ApiKey> {
  const workspaceId = await findWorkspaceOfKey(deps.keys, keyId);
  return revokeKey({ ...deps, onKeysChanged: NOBODY_TO_TELL }, { workspaceId, actor }, keyId);
}

/** For operators, who need not name the workspace of a key. */
export async function findWorkspaceOfKey(keys: ApiKeys, keyId: string): Promise<number> {
  const workspaceId = await keys.workspaceOf(keyId);
  if (workspaceId !== undefined) return workspaceId;
  const hint = '`rollcall key list --account ACCOUNT` shows the keys of an account.';
  if (containsSecret(keyId)) {
    throw new Failure('bad_parameter', `This is the secret of an API key, and not its id. ${hint}`);
  }
  throw new Failure('not_found', `There is no API key with the id ${keyId || '""'}. ${hint}`);
}

/** Revokes a key as part of a larger change of its workspace: `removeMember` revokes all keys of a member. */
export async function revokeInChange(change: { keys: KeyChanges } & WorkspaceRecorder, keyId: string): Promise<ApiKey> {
  const key = await change.keys.revoke(keyId);
  if (!key) throw noSuchKey();
  change.record('key.revoked', labelOfKey(key));
  return key;
}

export async function findInChange({ keys }: { keys: KeyChanges }, keyId: string): Promise<ApiKey> {
  const key = await keys.find(keyId);
  if (!key) throw noSuchKey();
  return key;
}

export function noSuchKey(): Failure {
  return new Failure('not_found', 'There is no such API key.');
}

export function revokedConflict(): Failure {
  return new Failure('conflict', 'This API key has been revoked and cannot be changed any more. Create a new API key.');
}

/** The name of a key in the activity log. */
export function labelOfKey(key: ApiKey): string {
  return `${key.name} (${currentSecret(key).preview})`;
}
