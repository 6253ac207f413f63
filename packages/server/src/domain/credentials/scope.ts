import { Failure } from '../failure.ts';

/** What a key may do: read clients, change them, or both. */
export const SCOPES = ['clients:read', 'clients:write'] as const;
export type Scope = (typeof SCOPES)[number];

/** The scope of a key unless another is chosen, and of all keys and tokens from before there were scopes. */
export const DEFAULT_SCOPES: readonly Scope[] = ['clients:read'];

const MAY_NOT: Record<Scope, string> = {
  'clients:read': 'read clients',
  'clients:write': 'change clients',
};

/** One list for each combination, which all cached tokens share. */
const COMBINATIONS = new Map<string, readonly Scope[]>();

/** Reads scopes that are separated by spaces, as in a token. Words that are not scopes are left out. */
export function parseScopes(text: string): readonly Scope[] {
  const words = text.split(' ');
  const scopes = SCOPES.filter((scope) => words.includes(scope));
  const combination = formatScopes(scopes);
  const known = COMBINATIONS.get(combination) ?? scopes;
  COMBINATIONS.set(combination, known);
  return known;
}

/** Separated by spaces, each once and always in the same order. */
export function formatScopes(scopes: readonly Scope[]): string {
  return SCOPES.filter((scope) => scopes.includes(scope)).join(' ');
}

export function requireScope(scopes: readonly Scope[], needed: Scope): void {
  if (scopes.includes(needed)) return;
  throw new Failure('insufficient_scope', `Forbidden: this key may not ${MAY_NOT[needed]}.`, { scope: needed });
}
