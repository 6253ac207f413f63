import { LRUCache } from 'lru-cache';
import type { Clock } from '../clock.ts';
import type { Environment } from '../environment.ts';
import { invalidToken, isFromFuture, type SigningKeys, type VerifiedToken, verifyAccessToken } from './access-token.ts';
import { containsSecret } from './api-key.ts';

/** The scheme in any letter case, one space, and the characters that RFC 6750 allows in a token. */
const BEARER = /^Bearer ([A-Za-z0-9\-._~+/]+=*)$/i;

/** As a script sends it that did not look at the answer of the exchange: nothing, or the whole answer. */
const NO_TOKEN = /^Bearer(\s*$|\s+\{)/i;
const EXCHANGE_FAILED =
  'there is none after `Bearer`. The API key was probably refused when you exchanged it: the answer to that request says why';
const SEND_TOKEN = 'send `Authorization: Bearer <access token>`';

/** About four thousand tokens. */
const CACHE_BYTES = 4 * 1024 * 1024;

/** The measured memory of a cached token in addition to the characters of its credentials. */
const TOKEN_BYTES = 600;

export interface TokenVerifier {
  /** Takes the value of an Authorization header. */
  verify(credentials: string): VerifiedToken | Promise<VerifiedToken>;
}

/**
 * Remembers the verified credentials of one environment, because verifying a signature takes longer than reading a page.
 * An entry is valid until the token expires, as long as its signing key is known. Whether the API key has ended is checked
 * elsewhere.
 */
export class TokenCache implements TokenVerifier {
  readonly #deps: { signingKeys: SigningKeys; clock: Clock };
  readonly #environment: Environment;
  readonly #verified: LRUCache<string, VerifiedToken>;

  constructor(
    deps: { signingKeys: SigningKeys; clock: Clock },
    environment: Environment,
    maxBytes: number = CACHE_BYTES,
  ) {
    this.#deps = deps;
    this.#environment = environment;
    this.#verified = new LRUCache({
      maxSize: maxBytes,
      sizeCalculation: (_, credentials) => TOKEN_BYTES + credentials.length,
    });
  }

  verify(credentials: string): VerifiedToken | Promise<VerifiedToken> {
    const known = this.#verified.get(credentials);
    if (!known) return this.#verifyAndRemember(credentials);
    const { clock, signingKeys } = this.#deps;
    const now = clock.now();
    if (known.expiresAt > now && !isFromFuture(known.issuedAt, now) && signingKeys.knows(known.kid)) return known;
    this.#verified.delete(credentials);
    return this.#verifyAndRemember(credentials);
  }

  async #verifyAndRemember(credentials: string): Promise<VerifiedToken> {
    if (containsSecret(credentials)) {
      throw invalidToken('this is an API key. Exchange it for an access token at /api/v1/generate-access-token/ first');
    }
    const token = BEARER.exec(credentials)?.[1];
    if (token === undefined) throw invalidToken(NO_TOKEN.test(credentials) ? EXCHANGE_FAILED : SEND_TOKEN);
    const verified = await verifyAccessToken(this.#deps, this.#environment, token);
    this.#verified.set(credentials, verified);
    return verified;
  }
}
