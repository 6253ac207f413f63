import type { Answer } from './answer.ts';
import { attempt } from './attempt.ts';
import { AuthenticationError, RollcallError } from './errors.ts';
import type { AccessToken } from './generated/api.ts';
import { withRetries } from './retry.ts';
import type { Settings } from './settings.ts';
import { ExchangedTokens, fixedToken, type Tokens } from './tokens.ts';

export interface GetOptions {
  ifNoneMatch?: string | undefined;
  signal?: AbortSignal | undefined;
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
        : new ExchangedTokens(() => this.#exchange(credential.apiKey));
  }

  token(signal: AbortSignal | undefined): Promise<string> {
    return this.#tokens.current(signal);
  }

  async get<Data>(pathAndQuery: string, { ifNoneMatch, signal }: GetOptions): Promise<Answer<Data>> {
    const send = (token: string) =>
      this.#send<Data>(
        pathAndQuery,
        { authorization: `Bearer ${token}`, ...(ifNoneMatch !== undefined && { 'if-none-match': ifNoneMatch }) },
        signal,
      );
    signal?.throwIfAborted();
    const token = await this.#tokens.current(signal);
    try {
      return await send(token);
    } catch (error) {
      if (!(error instanceof AuthenticationError)) throw error;
      const other = await this.#tokens.after(token, signal);
      if (other === undefined) throw error;
      return send(other);
    }
  }

  async #exchange(apiKey: string): Promise<AccessToken> {
    const { data } = await this.#send<AccessToken>('/api/v1/generate-access-token/', { 'api-key': apiKey }, undefined);
    const { access_token, expires_in } = data ?? {};
    if (access_token && expires_in) return { access_token, expires_in };
    throw new RollcallError('The answer holds no access token; check baseUrl.');
  }

  #send<Data>(pathAndQuery: string, headers: Record<string, string>, signal: AbortSignal | undefined) {
    const url = this.#settings.baseUrl + pathAndQuery;
    return withRetries(this.#settings, signal, () => attempt<Data>(this.#settings, url, headers, signal));
  }
}
