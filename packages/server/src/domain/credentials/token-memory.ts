import { LRUCache } from 'lru-cache';
import type { Clock } from '../clock.ts';
import type { Environment } from '../environment.ts';
import { invalidToken, type SigningKeys, type VerifiedToken, verifyAccessToken } from './access-token.ts';

/** One space, any case of the scheme, and the characters RFC 6750 allows in a token. */
const BEARER = /^Bearer ([A-Za-z0-9\-._~+/]+=*)$/i;

/** Some four thousand tokens. */
const MEMORY_BYTES = 4 * 1024 * 1024;

/** What a token takes beside the characters of its credentials, measured. */
const TOKEN_BYTES = 600;

export interface TokenVerifier {
  /** From the value of an Authorization header. */
  verify(credentials: string): VerifiedToken | Promise<VerifiedToken>;
}

/**
 * Remembers the credentials of one environment that were verified: a signature takes longer to check than a page to read.
 * One is good for as long as it lasts and its signing key is known; whether its API key still stands is not its affair.
 */
export class TokenMemory implements TokenVerifier {
  readonly #deps: { signingKeys: SigningKeys; clock: Clock };
  readonly #environment: Environment;
  readonly #verified: LRUCache<string, VerifiedToken>;

  constructor(
    deps: { signingKeys: SigningKeys; clock: Clock },
    environment: Environment,
    maxBytes: number = MEMORY_BYTES,
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
    if (known.expiresAt > clock.now() && signingKeys.knows(known.kid)) return known;
    this.#verified.delete(credentials);
    return this.#verifyAndRemember(credentials);
  }

  async #verifyAndRemember(credentials: string): Promise<VerifiedToken> {
    const token = BEARER.exec(credentials)?.[1];
    if (token === undefined) throw invalidToken('send `Authorization: Bearer <access token>`');
    const verified = await verifyAccessToken(this.#deps, this.#environment, token);
    this.#verified.set(credentials, verified);
    return verified;
  }
}
