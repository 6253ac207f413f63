import { type ApiKey, currentSecret, endOf, isExpired, isLive, oldSecret } from '../../domain/credentials/api-key.ts';
import type { KeyWithHours, KeyWithUsage } from '../../domain/credentials/describe-keys.ts';
import { dayText } from '../../domain/credentials/key-listings.ts';
import { formatRateLimit, type RateLimit } from '../../domain/credentials/rate-limit.ts';
import type { KeyDetails, KeyList, KeyRecord, KeyState } from '../contract/credentials/keys.ts';
import { timeText, timeTextOrNull } from '../time.ts';

/** Null if keys without a limit of their own are not limited. */
type DefaultRateLimit = RateLimit | null;

export function toList(keys: readonly KeyWithUsage[], defaultLimit: DefaultRateLimit, now: number): KeyList {
  return { keys: keys.map((key) => toRecord(key, now)), default_rate_limit: formatRateLimit(defaultLimit) };
}

function toRecord(key: KeyWithUsage, now: number): KeyRecord {
  return {
    key_id: key.id,
    name: key.name,
    state: stateOf(key, now),
    note: key.note,
    preview: currentSecret(key).preview,
    scopes: [...key.scopes],
    allowed_networks: [...key.allowedNetworks],
    rate_limit: key.rateLimit,
    created_at: timeText(key.createdAt),
    created_by: key.createdBy,
    last_used_at: timeTextOrNull(key.lastUsedAt),
    last_used_from: key.lastUsedFrom,
    recent_calls: key.recentCalls,
    idle: key.isIdle,
    expires_at: timeTextOrNull(key.expiresAt),
    revoked_at: timeTextOrNull(key.revokedAt),
    old_secret_ends_at: oldSecretEnd(key, now),
  };
}

export function toDetails(key: KeyWithHours, defaultLimit: DefaultRateLimit, now: number): KeyDetails {
  return {
    ...toRecord(key, now),
    default_rate_limit: formatRateLimit(defaultLimit),
    secrets: key.secrets.toReversed().map((secret) => ({
      number: secret.number,
      preview: secret.preview,
      created_at: timeText(secret.createdAt),
      ends_at: timeTextOrNull(endOf(secret)),
      works: isLive(secret, now),
    })),
    calls_per_hour: key.callsPerHour,
    last_hour_at: timeText(key.lastHourAt),
    listings: key.listings.map(({ day, kind, filter, calls }) => ({ day: dayText(day), kind, filter, calls })),
  };
}

function stateOf(key: ApiKey, now: number): KeyState {
  if (key.revokedAt !== null) return 'revoked';
  if (isExpired(key, now)) return 'expired';
  return oldSecret(key, now) ? 'rolling' : 'active';
}

export function oldSecretEnd(key: ApiKey, now: number): string | null {
  return timeTextOrNull(oldSecret(key, now)?.endsAt ?? null);
}
