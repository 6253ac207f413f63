import type { KeyRecord } from '#contract/credentials/keys.ts';

export type KeyState = 'active' | 'rolling' | 'expired' | 'revoked';

/** Where a key stands. It is `rolling` as long as the secret that was replaced still works. */
export function stateOf(key: KeyRecord, now = Date.now()): KeyState {
  if (key.revoked_at !== null) return 'revoked';
  if (isOver(key.expires_at, now)) return 'expired';
  return key.old_secret_ends_at !== null && !isOver(key.old_secret_ends_at, now) ? 'rolling' : 'active';
}

/** Whether the secrets of the key work. */
export function isUsable(state: KeyState): boolean {
  return state === 'active' || state === 'rolling';
}

function isOver(time: string | null, now: number): boolean {
  return time !== null && new Date(time).getTime() <= now;
}
