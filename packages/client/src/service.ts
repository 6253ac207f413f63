import { AuthenticationError, RollcallError } from './errors.ts';
import type { AccessToken } from './generated/api.ts';
import { request } from './request.ts';
import type { ApiResponse } from './response.ts';
import { type RetryLimits, withRetries } from './retry.ts';
import type { Settings } from './settings.ts';
import { ExchangedTokens, fixedToken, type TokenSource } from './tokens.ts';
import { withTimeout } from './with-timeout.ts';

export interface GetOptions {
  ifNoneMatch?: string | undefined;
  signal?: AbortSignal | undefined;
  /** Overrides the settings for how long the call is retried. */
  limits?: RetryLimits | undefined;
}

/** Sends requests to the service, and takes care of access tokens and retries. */
export class Service {
  readonly #settings: Settings;
  readonly #tokens: TokenSource;

  constructor(settings: Settings) {
    const { credential } = settings;
    this.#settings = settings;
    this.#tokens =
      'accessToken' in credential
        ? fixedToken(credential.accessToken)
        : new ExchangedTokens((signal) => this.#exchange(credential.apiKey, signal));
  }

  token(signal: AbortSignal | undefined): Promise<string> {
    return this.#retrying({ signal }, (ending) => this.#tokens.current(ending));
  }

  get<Data>(pathAndQuery: string, { ifNoneMatch, ...options }: GetOptions): Promise<ApiResponse<Data>> {
    return this.#retrying(options, async (ending) => {
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
        const replacement = await this.#tokens.replace(token, ending);
        if (replacement === undefined) throw error;
        return send(replacement);
      }
    });
  }

  /** Retries a call until it succeeds or its time is over. An attempt and the exchange of its token share one timeout. */
  #retrying<T>({ signal, limits }: GetOptions, attempt: (signal: AbortSignal) => Promise<T>): Promise<T> {
    const { timeoutMs } = this.#settings;
    return withRetries({ ...this.#settings, ...limits }, signal, () => withTimeout(timeoutMs, signal, attempt));
  }

  /**
   * Makes one attempt only: each call that waits for the token retries within its own time. Calls that share an exchange
   * may have started at different times.
   */
  #exchange(apiKey: string, signal: AbortSignal): Promise<AccessToken> {
    return withTimeout(this.#settings.timeoutMs, signal, async (ending) => {
      const headers = { 'api-key': apiKey };
      const { data } = await this.#request<AccessToken>('/api/v1/generate-access-token/', headers, ending);
      const { access_token, expires_in } = data ?? {};
      if (access_token && expires_in) return { access_token, expires_in };
      throw new RollcallError('The response contains no access token; check baseUrl.');
    });
  }

  #request<Data>(
    pathAndQuery: string,
    headers: Record<string, string>,
    signal: AbortSignal,
  ): Promise<ApiResponse<Data>> {
    const { baseUrl, fetch } = this.#settings;
    return request<Data>(fetch, baseUrl + pathAndQuery, headers, signal);
  }
}
