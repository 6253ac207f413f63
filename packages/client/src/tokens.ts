import { abortable } from './abortable.ts';
import type { AccessToken } from './generated/api.ts';

/** Where the Bearer credential of a request comes from. */
export interface Tokens {
  current(signal: AbortSignal | undefined): Promise<string>;
  /** Another token than the one that was refused, or undefined where there is none to be had. */
  after(refused: string, signal: AbortSignal | undefined): Promise<string | undefined>;
}

export function fixedToken(token: string): Tokens {
  return { current: async () => token, after: async () => undefined };
}

/** Renewed this much of its life before a token expires, so that none expires on its way. */
const MARGIN = 0.1;
const MARGIN_MAX_MS = 60_000;

/** An exchange on its way, and how many calls wait for it. */
interface Exchange {
  token: Promise<string>;
  controller: AbortController;
  waiting: number;
}

/** Tokens exchanged for an API key: on first use, before they expire, and when one is refused. */
export class ExchangedTokens implements Tokens {
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

  /** Of many calls that were refused together, the first renews and the others use what it got. */
  async after(refused: string, signal: AbortSignal | undefined): Promise<string> {
    return refused === this.#token ? this.#renew(signal) : this.current(signal);
  }

  /** One exchange for all who wait. None of them can abort it for the others; it ends when the last has given up. */
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
