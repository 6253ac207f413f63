import type { RequestTo } from '../requests.ts';
import { type ChangeContext, recordChange } from './record.ts';
import { refuse, refuseIf } from './refusal.ts';
import {
  findWorkspace,
  type ModelAccount,
  type ModelEntry,
  type ModelKey,
  type ModelSecret,
  type ModelWorkspace,
  type State,
  workspacesOf,
  workspaceToChange,
} from './state.ts';
import { isName, KEY_NAME_MAX } from './text-rules.ts';

const HOUR_MS = 3_600_000;
const USAGE_HOURS = 720;
const NOTE_MAX = 500;
const OVERLAP_MAX_SECONDS = 30 * 86_400;
const SECRETS_KEPT = 10;

/** The limits that requests use, as they are stored. Those that are not here, except `0`, are refused. */
export const LIMITS: Record<string, { perSecond: number; burst: number }> = {
  '500/s,1000': { perSecond: 500, burst: 1000 },
};

interface Target {
  account: ModelAccount;
  workspace: ModelWorkspace;
}

export function hourOf(time: number): number {
  return Math.floor(time / HOUR_MS);
}

export function firstUsageHour(at: number): number {
  return hourOf(at) - USAGE_HOURS + 1;
}

export function worksAt({ endsAt, endedAt }: Pick<ModelSecret, 'endsAt' | 'endedAt'>, at: number): boolean {
  return endedAt === null && (endsAt === null || endsAt > at);
}

/** The key as the activity log names it at this time. */
export function labelOf(key: ModelKey, changed = ''): ModelEntry['subject'] {
  return { key: key.name, secret: key.secrets.at(-1) as ModelSecret, changed };
}

export function createKey(state: State, request: RequestTo<'create key'>) {
  const { at, scopes, note, allowedNetworks, rateLimit, expiresAt } = request;
  refuseIf(scopes.length === 0, 'bad_parameter');
  requireFields({ ...request, expiresAt: expiresAt ?? Number.POSITIVE_INFINITY }, at);
  const target = workspaceToChange(state, request);
  const key: ModelKey = {
    id: '',
    name: request.name.trim(),
    note: note.trim(),
    scopes,
    allowedNetworks,
    rateLimit,
    createdAt: at,
    createdBy: request.createdBy ?? null,
    expiresAt,
    revokedAt: null,
    calls: [],
    lastUsedAt: null,
    lastUsedFrom: null,
    version: target.workspace.version + 1,
    secrets: [newSecret(1, at)],
  };
  target.workspace.keys.push(key);
  recordChange(target, request, 'key.created', labelOf(key));
  return { name: key.name, createdBy: key.createdBy, expiresAt: key.expiresAt };
}

function requireFields(
  fields: { name: string; note: string; allowedNetworks: string[]; rateLimit: string | null; expiresAt: number },
  at: number,
): void {
  const { rateLimit } = fields;
  const isLimit = rateLimit === null || rateLimit === '0' || LIMITS[rateLimit] !== undefined;
  const areNetworks = fields.allowedNetworks.every((network) => network.startsWith('10.'));
  const isNote = fields.note.trim().length <= NOTE_MAX;
  refuseIf(!isName(fields.name, KEY_NAME_MAX) || !isNote || !areNetworks || !isLimit, 'bad_parameter');
  refuseIf(fields.expiresAt <= at, 'bad_parameter');
}

/** The fields of a record of a key that can be changed, as the activity log names them. */
const KEY_FIELDS: Record<string, string> = {
  name: 'name',
  note: 'note',
  allowed_networks: 'allowed addresses',
  expires_at: 'expiry',
  rate_limit: 'rate limit',
};

function valuesOf(key: Pick<ModelKey, 'name' | 'note' | 'allowedNetworks' | 'expiresAt' | 'rateLimit'>) {
  const { name, note, allowedNetworks, expiresAt, rateLimit } = key;
  const expiry = expiresAt === null ? null : new Date(expiresAt).toISOString();
  const values: Record<string, unknown> = { name, note, allowed_networks: [...allowedNetworks], expires_at: expiry };
  return { ...values, rate_limit: rateLimit } as Record<string, unknown>;
}

/** Changes the given fields. If all of them are as before, nothing is recorded. */
export function updateKey(state: State, request: RequestTo<'update key'>) {
  const { at, change } = request;
  const target = workspaceToChange(state, request);
  const key = keyIn(target, request.keyId);
  refuseIf(key.revokedAt !== null, 'conflict');
  const wanted = { ...key, ...change, allowedNetworks: [...(change.allowedNetworks ?? key.allowedNetworks)] };
  requireFields({ ...wanted, expiresAt: change.expiresAt ?? Number.POSITIVE_INFINITY }, at);
  wanted.name = wanted.name.trim();
  wanted.note = wanted.note.trim();
  const [before, after] = [valuesOf(key), valuesOf(wanted)];
  const changed = Object.keys(KEY_FIELDS).filter((name) => String(before[name]) !== String(after[name]));
  Object.assign(key, wanted);
  if (changed.length > 0) {
    const only = (values: Record<string, unknown>) => Object.fromEntries(changed.map((name) => [name, values[name]]));
    const label = labelOf(key, `: ${changed.map((name) => KEY_FIELDS[name]).join(', ')}`);
    recordKeyChange(target, request, key, 'key.updated', label, { from: only(before), to: only(after), reason: null });
  }
  return { name: key.name, note: key.note, expiresAt: key.expiresAt };
}

/** The replaced secret works for a while longer, and one that was replaced before ends at once. */
export function rollKey(state: State, request: RequestTo<'roll key'>) {
  const { at, overlapSeconds } = request;
  refuseIf(overlapSeconds < 0 || overlapSeconds > OVERLAP_MAX_SECONDS, 'bad_parameter');
  const target = workspaceToChange(state, request);
  const key = keyIn(target, request.keyId);
  refuseIf(key.revokedAt !== null || (key.expiresAt !== null && key.expiresAt <= at), 'conflict');
  const replaced = key.secrets.at(-1) as ModelSecret;
  const older = key.secrets.slice(0, -1).filter((secret) => worksAt(secret, at));
  for (const secret of older) Object.assign(secret, { endsAt: at, endedAt: at });
  replaced.endsAt = at + overlapSeconds * 1000;
  if (overlapSeconds === 0) replaced.endedAt = at;
  key.secrets = [...key.secrets, newSecret(replaced.number + 1, at)].slice(-SECRETS_KEPT);
  recordKeyChange(target, request, key, 'key.rolled', labelOf(key));
  return { number: replaced.number + 1, ended: older[0]?.number ?? null };
}

export function endOldSecret(state: State, request: RequestTo<'end old secret'>) {
  const { at, number } = request;
  const target = workspaceToChange(state, request);
  const key = keyIn(target, request.keyId);
  const old = key.secrets.slice(0, -1);
  const secret =
    number === undefined
      ? (old.find((each) => worksAt(each, at)) ?? refuse('conflict'))
      : (key.secrets.find((each) => each.number === number) ?? refuse('not_found'));
  refuseIf(!old.includes(secret), 'conflict');
  if (worksAt(secret, at)) {
    secret.endedAt = at;
    recordKeyChange(target, request, key, 'key.secret-ended', { key: key.name, secret, changed: '' });
  }
  return null;
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
function revoke(target: Target, context: ChangeContext, keyId: string) {
  const key = keyIn(target, keyId);
  if (key.revokedAt === null) {
    key.revokedAt = context.at;
    recordKeyChange(target, context, key, 'key.revoked', labelOf(key));
  }
  return { keyId, revokedAt: key.revokedAt };
}

/** Bookkeeping, which is not a change. The last use only moves forward. */
export function countCalls(state: State, request: RequestTo<'count calls'>) {
  const { workspace } = findWorkspace(state, request.workspaceId);
  for (const { keyId, calls, address } of request.calls) {
    const key = workspace.keys.find((each) => each.id === keyId);
    if (!key) continue;
    key.calls.push({ hour: hourOf(request.at), calls });
    if (key.lastUsedAt !== null && key.lastUsedAt >= request.at) continue;
    key.lastUsedAt = request.at;
    key.lastUsedFrom = address || key.lastUsedFrom;
  }
  return null;
}

function keyIn({ workspace }: Target, keyId: string): ModelKey {
  return workspace.keys.find((each) => each.id === keyId) ?? refuse('not_found');
}

function newSecret(number: number, createdAt: number): ModelSecret {
  return { number, secret: '', preview: '', createdAt, endsAt: null, endedAt: null };
}

function recordKeyChange(
  target: Target,
  context: ChangeContext,
  key: ModelKey,
  action: Parameters<typeof recordChange>[2],
  subject: ModelEntry['subject'],
  changed: ModelEntry['changed'] = null,
): void {
  recordChange(target, context, action, subject, { changed });
  key.version = target.workspace.version;
}
