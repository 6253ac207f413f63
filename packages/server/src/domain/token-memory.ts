import { type SigningKeys, type VerifiedToken, verifyAccessToken } from './access-token.ts';
import type { Clock } from './clock.ts';
import type { Environment } from './environment.ts';

/** A few hundred bytes each. */
const TOKENS_KEPT = 10_000;

export interface TokenVerifier {
  verify(token: string): VerifiedToken | Promise<VerifiedToken>;
}

/**
 * Remembers the tokens of one environment that were verified: a signature takes longer to check than a page to read.
 * One is good for as long as it lasts and its signing key is known; whether its API key still stands is not its affair.
 */
export class TokenMemory implements TokenVerifier {
  readonly #deps: { signingKeys: SigningKeys; clock: Clock };
  readonly #environment: Environment;
  readonly #verified = new Map<string, VerifiedToken>();

  constructor(deps: { signingKeys: SigningKeys; clock: Clock }, environment: Environment) {
    this.#deps = deps;
    this.#environment = environment;
  }

  verify(token: string): VerifiedToken | Promise<VerifiedToken> {
    const known = this.#verified.get(token);
    if (!known) return this.#verifyAndRemember(token);
    const { clock, signingKeys } = this.#deps;
    if (known.expiresAt > clock.now() && signingKeys.knows(known.kid)) return known;
    this.#verified.delete(token);
    return this.#verifyAndRemember(token);
  }

  async #verifyAndRemember(token: string): Promise<VerifiedToken> {
    const verified = await verifyAccessToken(this.#deps, this.#environment, token);
    const oldest = this.#verified.keys().next();
    if (this.#verified.size >= TOKENS_KEPT && !oldest.done) this.#verified.delete(oldest.value);
    this.#verified.set(token, verified);
    return verified;
  }
}
