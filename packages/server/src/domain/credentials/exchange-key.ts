import type { Clock } from '../clock.ts';
import type { Environment } from '../environment.ts';
import { Failure, type KeyOfCaller } from '../failure.ts';
import { NetworkList } from '../network-address.ts';
import { hashSecret } from '../secret.ts';
import { formatTime } from '../time.ts';
import { issueAccessToken, type SigningKeys } from './access-token.ts';
import { type ApiKey, containsSecret, environmentOfSecret, isExpired, isLive, type KeySecret } from './api-key.ts';
import type { KnownKeys } from './key-directory.ts';
import { factsOf } from './key-facts.ts';

export interface KeyLookup {
  /** The key that has, or had, this secret. */
  byHash(hash: string): Promise<{ key: ApiKey; secretNumber: number } | undefined>;
}

export interface ProveKeyDeps {
  keys: KeyLookup;
  clock: Clock;
}

export interface ExchangeKeyDeps extends ProveKeyDeps {
  signingKeys: SigningKeys;
  keyDirectory: KnownKeys;
  ttlSeconds: number;
}

export interface Caller {
  environment: Environment;
  address: string;
}

export interface AccessToken {
  accessToken: string;
  expiresInSeconds: number;
  issuedFor: ApiKey;
}

/** Called with the key once it is known to be right, before a token is made. Throws if no token may be made now. */
export type Admit = (key: ApiKey) => void | Promise<void>;

export async function exchangeKey(
  deps: ExchangeKeyDeps,
  caller: Caller,
  secret: string | undefined,
  admit: Admit,
): Promise<AccessToken> {
  const { key, proved } = await proveKey(deps, caller, secret);
  const now = deps.clock.now();
  await admit(key);
  const expiresInSeconds = Math.min(
    deps.ttlSeconds,
    secondsUntil(key.expiresAt, now),
    secondsUntil(proved.endsAt, now),
  );
  const subject = { ...key, keyId: key.id, secretNumber: proved.number };
  const accessToken = issueAccessToken(deps, subject, expiresInSeconds);
  // The first call with the token then finds a key that another process has just created, rolled or changed.
  deps.keyDirectory.follow([factsOf(key)]);
  return { accessToken, expiresInSeconds, issuedFor: key };
}

/** Only a caller with the right secret learns why a key is refused; to all others it is just invalid. */
export async function proveKey(
  { keys, clock }: ProveKeyDeps,
  caller: Caller,
  secret: string | undefined,
): Promise<{ key: ApiKey; proved: KeySecret }> {
  if (secret === undefined || environmentOfSecret(secret) === undefined) throw invalidKey();
  const found = await keys.byHash(hashSecret(secret));
  const proved = found?.key.secrets.find(({ number }) => number === found.secretNumber);
  if (!found || !proved) throw invalidKey();
  const problem = problemWith(found.key, proved, caller, clock.now());
  const { workspaceId, id: keyId } = found.key;
  if (problem) throw invalidKey(problem, { workspaceId, keyId });
  return { key: found.key, proved };
}

function problemWith(key: ApiKey, secret: KeySecret, caller: Caller, now: number): string | undefined {
  if (key.environment !== caller.environment) {
    return `it is a ${key.environment} key and this is the ${caller.environment} environment`;
  }
  if (key.revokedAt !== null) return 'it has been revoked';
  if (isExpired(key, now)) return 'it has expired';
  if (!isLive(secret, now)) {
    const next = key.secrets.find(({ number }) => number === secret.number + 1);
    return `this secret was replaced on ${formatTime(next?.createdAt ?? secret.createdAt)}; use the new one`;
  }
  if (key.allowedNetworks.length > 0 && !NetworkList.parse(key.allowedNetworks.join(',')).has(caller.address)) {
    return `it may not be used from this address, ${caller.address}`;
  }
  return undefined;
}

/** Headers that other services use for an API key. */
const OTHER_HEADERS = ['X-API-Key', 'apikey', 'api_key', 'Authorization'];

/** For a caller who sends an API key in another header than `api-key`. Says which one is meant, without reading the key. */
export function wrongHeader(header: (lowerCaseName: string) => readonly string[]): Failure | undefined {
  const used = OTHER_HEADERS.find((name) => header(name.toLowerCase()).some(containsSecret));
  return used === undefined ? undefined : invalidKey(`send it in the header api-key, not ${used}`);
}

function secondsUntil(time: number | null, now: number): number {
  return time === null ? Number.POSITIVE_INFINITY : Math.max(1, Math.floor((time - now) / 1000));
}

function invalidKey(reason?: string, caller?: KeyOfCaller): Failure {
  return new Failure('invalid_api_key', reason ? `Invalid API key: ${reason}.` : 'Invalid API key.', {
    ...(caller && { caller }),
  });
}
