import { abortable } from './abortable.ts';
import type { AccessToken } from './generated/api.ts';

/** Provides the access tokens for requests. */
export interface TokenSource {
  current(signal: AbortSignal | undefined): Promise<string>;
  /** Returns a token to use instead of one that was refused, or `undefined` if there is no other. */
  replace(refused: string, signal: AbortSignal | undefined): Promise<string | undefined>;
}

export function fixedToken(token: string): TokenSource {
  return { current: async () => token, replace: async () => undefined };
}

/** The share of its lifetime by which a token is renewed early, so that it does not expire in transit. */
const MARGIN = 0.1;
const MARGIN_MAX_MS = 60_000;

/** An exchange in flight, and how many calls wait for it. */
interface Exchange {
  token: Promise<string>;
  controller: AbortController;
  waiting: number;
}

/** Exchanges an API key for tokens: on first use, before a token expires, and when one is refused. */
export class ExchangedTokens implements TokenSource {
  readonly #exchange: (signal: AbortSignal) => Promise<AccessToken>;
  #token = '';
  #renewAt = Number.NEGATIVE_INFINITY;
  #inFlight: Exchange | undefined;

  constructor(exchange: (signal: AbortSignal) => Promise<AccessToken>) {
    this.#exchange = exchange;
  }

  async current(signal: AbortSignal | undefined): Promise<string> {
    return Date.now() < this.#renewAt ? this.#token : this.#renew(signal);
  }

  /** Of several calls that were refused together, the first renews the token and the others use the new one. */
  async replace(refused: string, signal: AbortSignal | undefined): Promise<string> {
    return refused === this.#token ? this.#renew(signal) : this.current(signal);
  }

  /** All calls that wait share one exchange. It is aborted only when the last of them has given up. */
  #renew(signal: AbortSignal | undefined): Promise<string> {
    this.#inFlight ??= this.#begin();
    const exchange = this.#inFlight;
    exchange.waiting++;
    return abortable(exchange.token, signal).finally(() => {
      if (--exchange.waiting > 0) return;
      this.#forget(exchange);
      exchange.controller.abort();
    });
  }

  #begin(): Exchange {
    const controller = new AbortController();
    const token = this.#fetch(controller.signal).finally(() => this.#forget(exchange));
    const exchange = { token, controller, waiting: 0 };
    return exchange;
  }

  #forget(exchange: Exchange): void {
    if (this.#inFlight === exchange) this.#inFlight = undefined;
  }

  async #fetch(signal: AbortSignal): Promise<string> {
    const askedAt = Date.now();
    const { access_token, expires_in } = await this.#exchange(signal);
    const lifeMs = expires_in * 1000;
    this.#token = access_token;
    this.#renewAt = askedAt + lifeMs - Math.min(lifeMs * MARGIN, MARGIN_MAX_MS);
    return access_token;
  }
}
