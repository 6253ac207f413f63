import type { KeyDetails, SecretRecord } from '#contract/credentials/keys.ts';

/** Words and the time that they are about; null for never. */
export type TimedText = [words: string, time: string | null];

type Key = Pick<KeyDetails, 'state' | 'expires_at' | 'revoked_at'>;
type Secret = Pick<SecretRecord, 'created_at' | 'ends_at' | 'works'>;

/** What a secret is or was, in words. A secret ends with its key at the latest. */
export function secretText(key: Key, { created_at: createdAt, ends_at: endsAt, works }: Secret): TimedText {
  const keyEnd = endOfKey(key);
  if (endsAt !== null && (keyEnd === undefined || endsAt <= keyEnd)) {
    return [works ? 'Old secret, works until' : 'Old secret, ended', endsAt];
  }
  if (keyEnd === undefined) return ['Current secret, created', createdAt];
  if (endsAt !== null) return ['Old secret, worked until', keyEnd];
  return [key.state === 'revoked' ? 'Last secret, worked until' : 'Current secret, worked until', keyEnd];
}

/** What ends or has ended a key. The expiry of a revoked key no longer means anything unless it came first. */
export function endTexts({ state, expires_at: expiresAt, revoked_at: revokedAt }: Key): TimedText[] {
  if (state === 'expired') return [['Expired', expiresAt]];
  if (state !== 'revoked' || revokedAt === null) return [['Expires', expiresAt]];
  const revoked: TimedText = ['Revoked', revokedAt];
  if (expiresAt === null) return [revoked];
  return expiresAt <= revokedAt ? [['Expired', expiresAt], revoked] : [revoked, ['Would have expired', expiresAt]];
}

/** Times of the console are all in one form, in which the earlier one comes first in the alphabet. */
function endOfKey({ state, expires_at: expiresAt, revoked_at: revokedAt }: Key): string | undefined {
  if (state === 'active' || state === 'rolling') return undefined;
  const ends = [state === 'revoked' ? revokedAt : null, expiresAt].filter((time) => time !== null);
  return ends.toSorted()[0];
}
