import type { Answer } from './answer.ts';
import { AuthenticationError, RollcallError } from './errors.ts';
import type { AccessToken } from './generated/api.ts';
import { request } from './request.ts';
import { type RetryLimits, withRetries } from './retry.ts';
import type { Settings } from './settings.ts';
import { ExchangedTokens, fixedToken, type Tokens } from './tokens.ts';
import { within } from './within.ts';

export interface GetOptions {
  ifNoneMatch?: string | undefined;
  signal?: AbortSignal | undefined;
  /** Where a call is tried for longer or shorter than the settings say. */
  limits?: RetryLimits | undefined;
}

/** The service as its callers in this package see it: tokens and retries are taken care of. */
export class Service {
  readonly #settings: Settings;
  readonly #tokens: Tokens;

  constructor(settings: Settings) {
    const { credential } = settings;
    this.#settings = settings;
    this.#tokens =
      'accessToken' in credential
        ? fixedToken(credential.accessToken)
        : new ExchangedTokens((signal) => this.#exchange(credential.apiKey, signal));
  }

  token(signal: AbortSignal | undefined): Promise<string> {
    return this.#persistently({ signal }, (ending) => this.#tokens.current(ending));
  }

  get<Data>(pathAndQuery: string, { ifNoneMatch, ...options }: GetOptions): Promise<Answer<Data>> {
    return this.#persistently(options, async (ending) => {
      const send = (token: string) =>
        this.#request<Data>(
          pathAndQuery,
          { authorization: `Bearer ${token}`, ...(ifNoneMatch !== undefined && { 'if-none-match': ifNoneMatch }) },
          ending,
        );
      const token = await this.#tokens.current(ending);
      try {
        return await send(token);
      } catch (error) {
        if (!(error instanceof AuthenticationError)) throw error;
        const other = await this.#tokens.after(token, ending);
        if (other === undefined) throw error;
        return send(other);
      }
    });
  }

  /** Tries a call until it succeeds or it is time to give up. An attempt and the token for it share one timeout. */
  #persistently<T>({ signal, limits }: GetOptions, attempt: (signal: AbortSignal) => Promise<T>): Promise<T> {
    const { timeoutMs } = this.#settings;
    return withRetries({ ...this.#settings, ...limits }, signal, () => within(timeoutMs, signal, attempt));
  }

  /**
   * One attempt: each call that waits for it tries again for as long as it may itself. Of calls that share an exchange,
   * one may have begun when the others were about to give up.
   */
  #exchange(apiKey: string, signal: AbortSignal): Promise<AccessToken> {
    return within(this.#settings.timeoutMs, signal, async (ending) => {
      const headers = { 'api-key': apiKey };
      const { data } = await this.#request<AccessToken>('/api/v1/generate-access-token/', headers, ending);
      const { access_token, expires_in } = data ?? {};
      if (access_token && expires_in) return { access_token, expires_in };
      throw new RollcallError('The answer holds no access token; check baseUrl.');
    });
  }

  #request<Data>(pathAndQuery: string, headers: Record<string, string>, signal: AbortSignal): Promise<Answer<Data>> {
    const { baseUrl, fetch } = this.#settings;
    return request<Data>(fetch, baseUrl + pathAndQuery, headers, signal);
  }
}
