import type { KeyState } from '#contract/credentials/keys.ts';

/** Whether the secrets of a key in this state work. */
export function isUsable(state: KeyState): boolean {
  return state === 'active' || state === 'rolling';
}
