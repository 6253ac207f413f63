import type { Actor } from '../change.ts';
import type { ApiKeys } from './key-changes.ts';

/** A program that makes a change with an API key, which is named in histories by its id. */
export interface ActingKey extends Actor {
  keyId: string;
  secretNumber: number;
}

export function isActingKey(actor: Actor): actor is ActingKey {
  return 'keyId' in actor;
}

export type KeyNames = Pick<ApiKeys, 'namesOf'>;

/** The present names of the API keys among those who have changed something in the workspace, by their ids. */
export function namesOfActingKeys(
  keys: KeyNames,
  workspaceId: number,
  actors: readonly string[],
): Promise<ReadonlyMap<string, string>> {
  return keys.namesOf(workspaceId, [...new Set(actors)].filter(isKeyId));
}

/** The others are emails and `operator`. */
function isKeyId(actor: string): boolean {
  return actor.startsWith('key_') && !actor.includes('@');
}
