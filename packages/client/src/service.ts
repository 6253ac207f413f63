import { AuthenticationError, RollcallError } from './errors.ts';
import type { FetchResponse } from './fetch.ts';
import type { AccessToken } from './generated/api.ts';
import { idempotencyKeyOf } from './idempotency-key.ts';
import { MAX_TIMER_MS } from './option-values.ts';
import { Pace } from './pace.ts';
import { type ApiRequest, type ReadAnswer, type RequestBody, request } from './request.ts';
import { type ApiResponse, readCsv, readResponse } from './response.ts';
import { type RetryLimits, withRetries } from './retry.ts';
import type { Settings } from './settings.ts';
import { ExchangedTokens, fixedToken, type TokenSource } from './tokens.ts';
import { withTimeout } from './with-timeout.ts';

interface SendOptions {
  signal?: AbortSignal | undefined;
  /** Overrides the settings for how long the call is retried. */
  limits?: RetryLimits | undefined;
  /** How much longer than usual an attempt may take. */
  extraMs?: number | undefined;
}

export interface GetOptions extends SendOptions {
  ifNoneMatch?: string | undefined;
}

export interface Write {
  method: Exclude<ApiRequest['method'], 'GET'>;
  path: string;
  body?: object | undefined;
  /** An ETag. */
  ifMatch?: string | undefined;
  /** The key of the caller. */
  idempotencyKey?: string | undefined;
  signal?: AbortSignal | undefined;
}

export interface Upload {
  pathAndQuery: string;
  file: RequestBody & { content: Blob };
  idempotencyKey?: string | undefined;
  signal?: AbortSignal | undefined;
}

const FILE_MS = 600_000;

/** An upload that is slower than this may run out of time. */
const UPLOAD_BYTES_PER_MS = 128;

/** A request to the service, wherever that is. */
interface ServiceRequest extends Omit<ApiRequest, 'url'> {
  pathAndQuery: string;
}

/** Sends requests to the service, and takes care of access tokens, rate limits and retries. */
export class Service {
  readonly #settings: Settings;
  readonly #tokens: TokenSource;
  readonly #pace = new Pace();

  constructor(settings: Settings) {
    const { credential } = settings;
    this.#settings = settings;
    this.#tokens =
      'accessToken' in credential
        ? fixedToken(credential.accessToken)
        : new ExchangedTokens((signal) => this.#exchange(credential.apiKey, signal));
  }

  token(signal: AbortSignal | undefined): Promise<string> {
    return this.#retrying({ signal }, () => this.#attempt(signal, (ending) => this.#tokens.current(ending)));
  }

  get<Data>(pathAndQuery: string, { ifNoneMatch, ...options }: GetOptions): Promise<ApiResponse<Data>> {
    const headers: Record<string, string> = ifNoneMatch === undefined ? {} : { 'if-none-match': ifNoneMatch };
    return this.#send({ method: 'GET', pathAndQuery, headers }, readResponse<Data>, options);
  }

  /** A file may be large, so an attempt has more time than usual. */
  getCsv(path: string, options: SendOptions): Promise<string> {
    return this.#send({ method: 'GET', pathAndQuery: path, headers: {} }, readCsv, { extraMs: FILE_MS, ...options });
  }

  /** All attempts have the same key and the same body, by which the service knows that they are one write. */
  write<Data>({ method, path, body, ifMatch, idempotencyKey, signal }: Write): Promise<ApiResponse<Data>> {
    const headers: Record<string, string> = { 'idempotency-key': idempotencyKeyOf(idempotencyKey) };
    if (ifMatch !== undefined) headers['if-match'] = ifMatch;
    const json = body && { type: 'application/json', content: JSON.stringify(body) };
    return this.#send({ method, pathAndQuery: path, headers, body: json }, readResponse<Data>, { signal });
  }

  /** Sends a file. An attempt has more time than usual, depending on its size. */
  upload<Data>({ pathAndQuery, file, idempotencyKey, signal }: Upload): Promise<ApiResponse<Data>> {
    const headers = { 'idempotency-key': idempotencyKeyOf(idempotencyKey) };
    const extraMs = file.content.size / UPLOAD_BYTES_PER_MS;
    return this.#send({ method: 'POST', pathAndQuery, headers, body: file }, readResponse<Data>, { signal, extraMs });
  }

  #send<Answer>(sent: ServiceRequest, read: ReadAnswer<Answer>, options: SendOptions): Promise<Answer> {
    const { signal, extraMs } = options;
    return this.#retrying(options, (leftMs) =>
      // The wait is outside of the attempt, whose timeout is for the service and not for us.
      this.#pace.run(leftMs, signal, (onAnswer) =>
        this.#attempt(signal, (ending) => this.#sendOnce(sent, read, ending, onAnswer), extraMs),
      ),
    );
  }

  /** Sends a request again if its token was refused and there is another one. */
  async #sendOnce<Answer>(
    { headers, ...rest }: ServiceRequest,
    read: ReadAnswer<Answer>,
    signal: AbortSignal,
    onAnswer: (response: FetchResponse) => void,
  ): Promise<Answer> {
    const send = (token: string) =>
      this.#request({ ...rest, headers: { authorization: `Bearer ${token}`, ...headers } }, read, signal, onAnswer);
    const token = await this.#tokens.current(signal);
    try {
      return await send(token);
    } catch (error) {
      if (!(error instanceof AuthenticationError)) throw error;
      const replacement = await this.#tokens.replace(token, signal);
      if (replacement === undefined) throw error;
      return send(replacement);
    }
  }

  /** Retries a call until it succeeds or its time is over. */
  #retrying<T>({ signal, limits }: SendOptions, attempt: (leftMs: number) => Promise<T>): Promise<T> {
    return withRetries({ ...this.#settings, ...limits }, signal, attempt);
  }

  /** An attempt and the exchange of its token share one timeout. */
  #attempt<T>(signal: AbortSignal | undefined, work: (signal: AbortSignal) => Promise<T>, extraMs = 0): Promise<T> {
    return withTimeout(Math.min(this.#settings.timeoutMs + extraMs, MAX_TIMER_MS), signal, work);
  }

  /**
   * Makes one attempt only: each call that waits for the token retries within its own time. Calls that share an exchange
   * may have started at different times.
   */
  #exchange(apiKey: string, signal: AbortSignal): Promise<AccessToken> {
    return withTimeout(this.#settings.timeoutMs, signal, async (ending) => {
      const { data } = await this.#request(
        { method: 'GET', pathAndQuery: '/api/v1/generate-access-token/', headers: { 'api-key': apiKey } },
        readResponse<AccessToken>,
        ending,
      );
      const { access_token, expires_in } = data ?? {};
      if (access_token && expires_in) return { access_token, expires_in };
      throw new RollcallError('The response contains no access token; check baseUrl.');
    });
  }

  #request<Answer>(
    { pathAndQuery, ...rest }: ServiceRequest,
    read: ReadAnswer<Answer>,
    signal: AbortSignal,
    onAnswer?: (response: FetchResponse) => void,
  ): Promise<Answer> {
    const { baseUrl, fetch } = this.#settings;
    return request(fetch, { ...rest, url: baseUrl + pathAndQuery }, read, signal, onAnswer);
  }
}
