import type { Clock } from '../clock.ts';
import { Failure } from '../failure.ts';
import { invalidToken, type Principal } from './access-token.ts';
import type { TokenVerifier } from './token-memory.ts';

/** Which keys no longer stand. Answered from memory; the store keeps it true within a second. */
export interface EndedKeys {
  hasEnded(keyId: string, now: number): boolean;
}

export interface AuthenticateDeps {
  tokens: TokenVerifier;
  endedKeys: EndedKeys;
  clock: Clock;
}

/** From the values of the Authorization header (there should be one) to the caller. */
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
