import type { Clock } from '../clock.ts';
import { Failure } from '../failure.ts';
import { invalidToken, type Principal } from './access-token.ts';
import type { TokenVerifier } from './token-cache.ts';

/** The API keys that were revoked or have expired. The answer comes from memory, which follows the store within a second. */
export interface EndedKeys {
  hasEnded(keyId: string, now: number): boolean;
}

export interface AuthenticateDeps {
  tokens: TokenVerifier;
  endedKeys: EndedKeys;
  clock: Clock;
}

/** Identifies the caller from the values of the Authorization header, of which there should be one. */
export async function authenticate(deps: AuthenticateDeps, authorization: readonly string[]): Promise<Principal> {
  if (authorization.length === 0) {
    throw new Failure('no_credentials', 'Authentication credentials were not provided.');
  }
  if (authorization.length > 1) throw invalidToken('more than one Authorization header was sent');

  const verified = await deps.tokens.verify(authorization[0] ?? '');
  if (deps.endedKeys.hasEnded(verified.keyId, deps.clock.now())) {
    throw new Failure('invalid_access_token', 'Access token has been revoked.');
  }
  return verified;
}
