import { Failure } from '../failure.ts';
import { NetworkList } from '../network-address.ts';
import { isStorable } from '../text.ts';
import { NETWORKS_MAX, NOTE_MAX_LENGTH } from './key-bounds.ts';
import { formatRateLimit, parseRateLimit, RATE_LIMIT_FORM } from './rate-limit.ts';
import { SCOPES, type Scope } from './scope.ts';

// Checks what a person has entered for an API key, and returns it as it is stored. The messages begin with the name of the
// field.

export function requireScopes(scopes: readonly Scope[]): readonly Scope[] {
  if (scopes.length > 0) return SCOPES.filter((scope) => scopes.includes(scope));
  throw new Failure('bad_parameter', `scopes must contain ${SCOPES.join(' or ')}, or both.`);
}

export function requireNote(note: string): string {
  if (!isStorable(note)) throw new Failure('bad_parameter', 'note is not valid UTF-8 text.');
  if (note.trim().length <= NOTE_MAX_LENGTH) return note.trim();
  throw new Failure('bad_parameter', `note must have at most ${NOTE_MAX_LENGTH} characters.`);
}

/** Each network once, in one spelling. */
export function requireNetworks(networks: readonly string[]): readonly string[] {
  const unique = [...new Set(readNetworks(networks))];
  if (unique.length <= NETWORKS_MAX) return unique;
  throw new Failure('bad_parameter', `allowed_networks must have at most ${NETWORKS_MAX} entries.`);
}

function readNetworks(networks: readonly string[]): readonly string[] {
  try {
    return NetworkList.from(networks).networks;
  } catch (error) {
    if (!(error instanceof Failure)) throw error;
    throw new Failure('bad_parameter', `allowed_networks: ${error.message}`, { cause: error });
  }
}

export function requireRateLimit(text: string | null): string | null {
  if (text === null) return null;
  const limit = parseRateLimit(text);
  if (limit === undefined) throw new Failure('bad_parameter', `rate_limit must be ${RATE_LIMIT_FORM}.`);
  return formatRateLimit(limit);
}

export function requireFuture(expiresAt: number | null, now: number): number | null {
  if (expiresAt === null || expiresAt > now) return expiresAt;
  throw new Failure('bad_parameter', 'expires_at must be in the future.');
}
