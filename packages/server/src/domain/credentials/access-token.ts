import { type KeyObject, randomUUID, sign } from 'node:crypto';
import { errors, type JWTPayload, type JWTVerifyResult, jwtVerify } from 'jose';
import type { Clock } from '../clock.ts';
import type { Environment } from '../environment.ts';
import { Failure, type KeyOfCaller } from '../failure.ts';
import { DEFAULT_SCOPES, formatScopes, parseScopes, type Scope } from './scope.ts';

export const ALGORITHM = 'Ed25519';
const TYPE = 'at+jwt';
const ISSUER = 'rollcall';

/** The longest lifetime of an access token. */
export const TOKEN_MAX_SECONDS = 86_400;

/** A node whose clock is slow must still accept a token that another node has just issued. */
export const CLOCK_SKEW_SECONDS = 60;

export interface VerifyingKey {
  kid: string;
  publicKey: CryptoKey;
}

export interface SigningKey extends VerifyingKey {
  privateKey: KeyObject;
}

export interface SigningKeys {
  /** The key that signs new tokens. */
  current(): SigningKey;
  /** A key whose tokens are still valid. Reads the store again before it returns `undefined`. */
  byKid(kid: string): Promise<VerifyingKey | undefined>;
  /** Whether the key is among those in memory. */
  knows(kid: string): boolean;
}

/** The caller of a request, known once its access token has been verified. */
export interface Principal {
  keyId: string;
  workspaceId: number;
}

/** What a token says about its API key. */
interface TokenSubject extends Principal {
  /** The secret of the key that was exchanged for the token, which ends with it. */
  secretNumber: number;
  scopes: readonly Scope[];
}

export interface VerifiedToken extends TokenSubject {
  kid: string;
  issuedAt: number;
  expiresAt: number;
}

interface TokenDeps {
  signingKeys: SigningKeys;
  clock: Clock;
}

/** Signed by Node itself, which takes a little more than half of the time of `SignJWT` (decision 88). */
export function issueAccessToken(
  { signingKeys, clock }: TokenDeps,
  subject: TokenSubject & { environment: Environment },
  ttlSeconds: number,
): string {
  const { kid, privateKey } = signingKeys.current();
  const issuedAt = Math.floor(clock.now() / 1000);
  const header = { alg: ALGORITHM, typ: TYPE, kid };
  const claims = {
    workspace: subject.workspaceId,
    secret: subject.secretNumber,
    scope: formatScopes(subject.scopes),
    iss: ISSUER,
    aud: subject.environment,
    sub: subject.keyId,
    jti: randomUUID(),
    iat: issuedAt,
    exp: issuedAt + ttlSeconds,
  };
  const signed = `${encode(header)}.${encode(claims)}`;
  return `${signed}.${sign(null, Buffer.from(signed), privateKey).toString('base64url')}`;
}

function encode(part: object): string {
  return Buffer.from(JSON.stringify(part)).toString('base64url');
}

/** Verifies signature, type, issuer, environment and time. Whether the API key or its secret has ended is checked separately. */
export async function verifyAccessToken(
  { signingKeys, clock }: TokenDeps,
  environment: Environment,
  token: string,
): Promise<VerifiedToken> {
  const now = clock.now();
  const { payload, protectedHeader } = await verifySignature(signingKeys, environment, token, now);
  // Tokens from before keys had several secrets and scopes lack the last two claims.
  const { sub, workspace, iat, exp, secret = 1, scope } = payload;
  const { kid } = protectedHeader;
  if (
    typeof kid !== 'string' ||
    typeof sub !== 'string' ||
    typeof workspace !== 'number' ||
    typeof secret !== 'number' ||
    (scope !== undefined && typeof scope !== 'string') ||
    iat === undefined ||
    exp === undefined
  ) {
    throw invalidToken();
  }
  if (isFromFuture(iat * 1000, now)) throw invalidToken('issued in the future');
  const scopes = scope === undefined ? DEFAULT_SCOPES : parseScopes(scope);
  const subject = { keyId: sub, workspaceId: workspace, secretNumber: secret, scopes };
  return { ...subject, kid, issuedAt: iat * 1000, expiresAt: exp * 1000 };
}

/** The clock of the node that issued the token was ahead, or this one was set back. The token would live for too long. */
export function isFromFuture(issuedAt: number, now: number): boolean {
  return issuedAt > now + CLOCK_SKEW_SECONDS * 1000;
}

export function invalidToken(reason?: string, caller?: KeyOfCaller): Failure {
  return new Failure('invalid_access_token', reason ? `Invalid access token: ${reason}.` : 'Invalid access token.', {
    ...(caller && { caller }),
  });
}

async function verifySignature(
  signingKeys: SigningKeys,
  environment: Environment,
  token: string,
  now: number,
): Promise<JWTVerifyResult<JWTPayload>> {
  try {
    return await jwtVerify(
      token,
      async ({ kid }) => {
        const key = kid === undefined ? undefined : await signingKeys.byKid(kid);
        if (!key) throw invalidToken();
        return key.publicKey;
      },
      {
        algorithms: [ALGORITHM],
        typ: TYPE,
        issuer: ISSUER,
        audience: environment,
        currentDate: new Date(now),
      },
    );
  } catch (error) {
    if (error instanceof errors.JWTExpired) {
      throw new Failure('invalid_access_token', 'Access token has expired. Exchange the API key for a new one.');
    }
    if (error instanceof errors.JWTClaimValidationFailed && error.claim === 'aud') {
      throw invalidToken(`it is a ${error.payload.aud} token and this is the ${environment} environment`);
    }
    if (error instanceof errors.JOSEError || error instanceof TypeError) throw invalidToken();
    throw error;
  }
}
