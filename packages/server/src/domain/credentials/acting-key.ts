import type { Actor } from '../change.ts';

/** A program that makes a change with an API key, which is named in histories by its id. */
export interface ActingKey extends Actor {
  keyId: string;
  secretNumber: number;
}

export function isActingKey(actor: Actor): actor is ActingKey {
  return 'keyId' in actor;
}
