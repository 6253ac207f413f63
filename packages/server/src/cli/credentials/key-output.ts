import {
  type ApiKey,
  currentSecret,
  endOf,
  isExpired,
  isLive,
  type KeySecret,
  oldSecret,
} from '../../domain/credentials/api-key.ts';
import type { KeyWithHours, KeyWithUsage } from '../../domain/credentials/describe-keys.ts';
import { IDLE_AFTER_DAYS } from '../../domain/credentials/key-bounds.ts';
import { formatTime } from '../../domain/time.ts';
import { printable } from '../printable.ts';

export function keyToJson(key: ApiKey) {
  return {
    key_id: key.id,
    environment: key.environment,
    name: key.name,
    note: key.note,
    preview: currentSecret(key).preview,
    scopes: key.scopes,
    allowed_networks: key.allowedNetworks,
    rate_limit: key.rateLimit,
    created_at: formatTime(key.createdAt),
    expires_at: timeOrNull(key.expiresAt),
    revoked_at: timeOrNull(key.revokedAt),
    last_used_at: timeOrNull(key.lastUsedAt),
    last_used_from: key.lastUsedFrom,
    secrets: key.secrets.toReversed().map(secretToJson),
  };
}

function secretToJson(secret: KeySecret) {
  return {
    number: secret.number,
    preview: secret.preview,
    created_at: formatTime(secret.createdAt),
    ends_at: timeOrNull(endOf(secret)),
  };
}

export function stateOf(key: ApiKey, now: number): string {
  if (key.revokedAt !== null) return `revoked ${formatTime(key.revokedAt)}`;
  if (key.expiresAt === null) return 'valid';
  return `${isExpired(key, now) ? 'expired' : 'valid until'} ${formatTime(key.expiresAt)}`;
}

export function stateWithWarning(key: KeyWithUsage, now: number): string {
  const rollingUntil = key.revokedAt === null && !isExpired(key, now) ? oldSecret(key, now)?.endsAt : undefined;
  const rolling = rollingUntil ? `, rolling until ${formatTime(rollingUntil)}` : '';
  const warning = key.isIdle ? `, not used for ${IDLE_AFTER_DAYS} days` : '';
  return stateOf(key, now) + rolling + warning;
}

export function lastUseOf({ lastUsedAt, lastUsedFrom }: ApiKey): string {
  if (lastUsedAt === null) return 'never';
  return formatTime(lastUsedAt) + (lastUsedFrom === null ? '' : ` from ${lastUsedFrom}`);
}

const DAY_HOURS = 24;

export function callsOfLastDay({ callsPerHour }: KeyWithHours): number {
  return callsPerHour.slice(-DAY_HOURS).reduce((sum, calls) => sum + calls, 0);
}

/** Everything about a key, one line for each property. */
export function describeKey(key: KeyWithHours, now: number): string {
  const lines: [string, string][] = [
    ['Key id', key.id],
    ['Name', key.name],
    ['Note', key.note],
    ['Environment', key.environment],
    ['State', stateWithWarning(key, now)],
    ['Scopes', key.scopes.join(', ')],
    ['Allowed addresses', key.allowedNetworks.join(', ') || 'any'],
    ['Rate limit', key.rateLimit === null ? 'the default' : key.rateLimit === '0' ? 'none' : key.rateLimit],
    ['Created', `${formatTime(key.createdAt)} by ${key.createdBy ?? 'an operator'}`],
    ['Last used', lastUseOf(key)],
    ['Calls in 24 hours', String(callsOfLastDay(key))],
    ['Calls in 30 days', String(key.recentCalls)],
    ...key.secrets
      .toReversed()
      .map((secret): [string, string] => [
        `Secret ${secret.number}`,
        `${secret.preview}, ${stateOfSecret(secret, now)}`,
      ]),
  ];
  const width = Math.max(...lines.map(([label]) => label.length));
  return lines.map(([label, value]) => `${label.padEnd(width)}  ${printable(value)}`.trimEnd()).join('\n');
}

function stateOfSecret(secret: KeySecret, now: number): string {
  const end = endOf(secret);
  if (end === null) return `current, since ${formatTime(secret.createdAt)}`;
  return `${isLive(secret, now) ? 'works until' : 'ended'} ${formatTime(end)}`;
}

function timeOrNull(time: number | null): string | null {
  return time === null ? null : formatTime(time);
}
