import type { Clock } from '../clock.ts';
import type { Environment } from '../environment.ts';
import { Failure } from '../failure.ts';
import { hashSecret } from '../secret.ts';
import { issueAccessToken, type SigningKeys } from './access-token.ts';
import { type ApiKey, environmentOfSecret } from './api-key.ts';

export interface KeyLookup {
  byHash(hash: string): Promise<ApiKey | undefined>;
}

export interface ExchangeKeyDeps {
  keys: KeyLookup;
  signingKeys: SigningKeys;
  clock: Clock;
  ttlSeconds: number;
}

export interface AccessToken {
  accessToken: string;
  expiresInSeconds: number;
  issuedFor: ApiKey;
}

/** Called with the key once it is known to be right, before a token is made. Throws if no token may be made now. */
export type Admit = (key: ApiKey) => void | Promise<void>;

/** Only a caller with the right secret learns why a key is refused; to all others it is just invalid. */
export async function exchangeKey(
  deps: ExchangeKeyDeps,
  environment: Environment,
  secret: string | undefined,
  admit: Admit,
): Promise<AccessToken> {
  if (secret === undefined || environmentOfSecret(secret) === undefined) throw invalidKey();
  const key = await deps.keys.byHash(hashSecret(secret));
  if (!key) throw invalidKey();

  const now = deps.clock.now();
  if (key.environment !== environment) {
    throw invalidKey(`it is a ${key.environment} key and this is the ${environment} environment`);
  }
  if (key.revokedAt !== null) throw invalidKey('it has been revoked');
  if (key.expiresAt !== null && key.expiresAt <= now) throw invalidKey('it has expired');

  await admit(key);
  const expiresInSeconds = Math.min(deps.ttlSeconds, secondsUntil(key.expiresAt, now));
  const accessToken = await issueAccessToken(deps, { ...key, keyId: key.id }, expiresInSeconds);
  return { accessToken, expiresInSeconds, issuedFor: key };
}

function secondsUntil(time: number | null, now: number): number {
  return time === null ? Number.POSITIVE_INFINITY : Math.max(1, Math.floor((time - now) / 1000));
}

function invalidKey(reason?: string): Failure {
  return new Failure('invalid_api_key', reason ? `Invalid API key: ${reason}.` : 'Invalid API key.');
}
