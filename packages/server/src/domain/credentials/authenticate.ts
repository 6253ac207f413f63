import type { Clock } from '../clock.ts';
import { Failure } from '../failure.ts';
import { invalidToken, type VerifiedToken } from './access-token.ts';
import { hasEnded, type KnownKeys, mayBeUsedFrom } from './key-directory.ts';
import type { TokenVerifier } from './token-cache.ts';

export interface AuthenticateDeps {
  tokens: TokenVerifier;
  keyDirectory: KnownKeys;
  clock: Clock;
}

const NO_CREDENTIALS =
  'Authentication credentials were not provided. Send the header "Authorization: Bearer <access_token>".';

const REVOKED = 'Access token has been revoked';

/** Identifies the caller from the values of the Authorization header, of which there should be one. */
export async function authenticate(
  deps: AuthenticateDeps,
  authorization: readonly string[],
  { address }: { readonly address: string },
): Promise<VerifiedToken> {
  if (authorization.length === 0) {
    throw new Failure('no_credentials', NO_CREDENTIALS);
  }
  if (authorization.length > 1) throw invalidToken('more than one Authorization header was sent');

  const verified = await deps.tokens.verify(authorization[0] ?? '');
  const { keyId, workspaceId, secretNumber } = verified;
  const { keyDirectory } = deps;
  const key = keyDirectory.get(keyId, secretNumber) ?? (await keyDirectory.find(keyId, secretNumber));
  if (key?.facts.workspaceId !== workspaceId) throw invalidToken();
  const ended = hasEnded(key, secretNumber, deps.clock.now());
  const caller = { workspaceId, keyId };
  if (ended === 'key') throw new Failure('invalid_access_token', `${REVOKED}.`, { caller });
  if (ended === 'secret') {
    const reason = 'the secret that it was made from was replaced. Use the new secret of the API key';
    throw new Failure('invalid_access_token', `${REVOKED}: ${reason}.`, { caller });
  }
  // The address is read only if it matters, because this runs on every call.
  if (key.networks && !mayBeUsedFrom(key, address)) throw invalidToken('not allowed from this address', caller);
  return verified;
}
