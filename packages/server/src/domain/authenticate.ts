import { invalidToken, type Principal, type SigningKeys, verifyAccessToken } from './access-token.ts';
import type { Clock } from './clock.ts';
import type { Environment } from './environment.ts';
import { Failure } from './failure.ts';

/** Which keys no longer stand. Answered from memory; the store keeps it true within a second. */
export interface EndedKeys {
  hasEnded(keyId: string, now: number): boolean;
}

export interface AuthenticateDeps {
  signingKeys: SigningKeys;
  endedKeys: EndedKeys;
  clock: Clock;
}

/** One space, any case of the scheme, and the characters RFC 6750 allows in a token. */
const BEARER = /^Bearer ([A-Za-z0-9\-._~+/]+=*)$/i;

/** From the values of the Authorization header (there should be one) to the caller. */
export async function authenticate(
  deps: AuthenticateDeps,
  environment: Environment,
  authorization: readonly string[],
): Promise<Principal> {
  if (authorization.length === 0) {
    throw new Failure('no_credentials', 'Authentication credentials were not provided.');
  }
  if (authorization.length > 1) throw invalidToken('more than one Authorization header was sent');
  const token = BEARER.exec(authorization[0] ?? '')?.[1];
  if (token === undefined) throw invalidToken('send `Authorization: Bearer <access token>`');

  const { keyId, workspaceId } = await verifyAccessToken(deps, environment, token);
  if (deps.endedKeys.hasEnded(keyId, deps.clock.now())) {
    throw new Failure('invalid_access_token', 'Access token has been revoked.');
  }
  return { keyId, workspaceId };
}
