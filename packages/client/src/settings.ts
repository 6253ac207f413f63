import type { FetchLike } from './fetch.ts';
import { checkCount, checkMilliseconds, MAX_TIMER_MS } from './option-values.ts';
import type { Retry, RetrySettings } from './retry.ts';

/** How to reach the service, and how long to retry. */
export interface RollcallOptions {
  /**
   * The address of the environment that the API key belongs to, such as `http://127.0.0.1:8080`. It may end in a slash or
   * in `/api/v1`. There is no default: a `TypeError` is thrown if it is missing.
   */
  baseUrl: string | undefined;
  /**
   * The API key, which is exchanged for access tokens as needed. It must stay on a server.
   * @defaultValue none: either `apiKey` or `accessToken` must be given
   */
  apiKey?: string | undefined;
  /**
   * An access token from elsewhere instead of an API key, for places where the key must not be, such as a browser. It is
   * never renewed: when it is refused, the call throws an `AuthenticationError`.
   * @defaultValue none: either `apiKey` or `accessToken` must be given
   */
  accessToken?: string | undefined;
  /**
   * How long one attempt may take, in milliseconds, from connecting to the last byte of the body: 1 to 2147483647. If an
   * access token is needed, its exchange is part of the attempt.
   * @defaultValue 30000
   */
  timeoutMs?: number | undefined;
  /**
   * How long a call is retried, in milliseconds from its start. No attempt begins later, and a call that still fails then
   * throws the error of its last attempt. In a walk, this applies to each request. 0 turns retries off; with `Infinity`,
   * only the call's `signal` ends it.
   * @defaultValue 120000
   */
  retryForMs?: number | undefined;
  /**
   * The maximum number of attempts after the first one: a whole number or `Infinity`. 0 turns retries off.
   * @defaultValue Infinity: `retryForMs` alone decides
   */
  maxRetries?: number | undefined;
  /**
   * The maximum wait before the second attempt, in milliseconds: 0 to 2147483647. It doubles with each attempt up to
   * `retryMaxMs`, and every wait is shortened at random by up to a half.
   * @defaultValue 250
   */
  retryBaseMs?: number | undefined;
  /**
   * The maximum wait between two attempts, in milliseconds: 0 to 2147483647. It is exceeded only if the service asks for
   * more in `Retry-After`, and as far as `retryForMs` allows.
   * @defaultValue 10000
   */
  retryMaxMs?: number | undefined;
  /**
   * Called before each wait between two attempts, for example to log it. An error that it throws ends the call.
   * @defaultValue none: retries are silent
   */
  onRetry?: ((retry: Retry) => void) | undefined;
  /**
   * Sends the requests, for example the `fetch` of undici with a proxy.
   * @defaultValue the built-in `fetch`
   */
  fetch?: FetchLike | undefined;
}

export interface Settings extends RetrySettings {
  /** Without a trailing slash. */
  baseUrl: string;
  credential: { apiKey: string } | { accessToken: string };
  timeoutMs: number;
  fetch: FetchLike;
}

const UNLIMITED = { min: 0, max: Number.POSITIVE_INFINITY };

export function readSettings(options: RollcallOptions): Settings {
  const { timeoutMs = 30_000, retryForMs = 120_000, maxRetries = Number.POSITIVE_INFINITY } = options;
  const { retryBaseMs = 250, retryMaxMs = 10_000, onRetry, fetch = globalThis.fetch } = options;
  return {
    baseUrl: readBaseUrl(options.baseUrl),
    credential: readCredential(options),
    timeoutMs: checkMilliseconds('timeoutMs', timeoutMs, { min: 1, max: MAX_TIMER_MS }),
    retryForMs: checkMilliseconds('retryForMs', retryForMs, UNLIMITED),
    maxRetries: checkCount('maxRetries', maxRetries),
    retryBaseMs: checkMilliseconds('retryBaseMs', retryBaseMs),
    retryMaxMs: checkMilliseconds('retryMaxMs', retryMaxMs),
    onRetry: onRetry === undefined ? undefined : checkFunction('onRetry', onRetry),
    fetch: checkFunction('fetch', fetch),
  };
}

function readBaseUrl(baseUrl: string | undefined): string {
  if (!baseUrl) throw new TypeError('baseUrl is missing; set it to the address of the service.');
  const url = URL.canParse(baseUrl) ? new URL(baseUrl) : undefined;
  const plain = url && /^https?:$/.test(url.protocol) && !(url.username || url.password || url.search || url.hash);
  // The message does not repeat the value, which may contain a password.
  if (!plain)
    throw new TypeError(
      'baseUrl must be an address such as http://127.0.0.1:8080, without a user name, a query or a fragment.',
    );
  return url.href.replace(/\/+$/, '').replace(/\/+api\/+v1$/, '');
}

function readCredential({ apiKey, accessToken }: RollcallOptions): Settings['credential'] {
  if (apiKey && accessToken) throw new TypeError('Set either apiKey or accessToken, not both.');
  if (apiKey) return { apiKey: checkSecret('apiKey', apiKey) };
  if (accessToken) return { accessToken: checkSecret('accessToken', accessToken) };
  throw new TypeError('apiKey is missing.');
}

/** The message does not repeat the value, which is a secret. */
function checkSecret(name: string, value: string): string {
  if (/^[\x21-\x7e]+$/.test(value)) return value;
  throw new TypeError(
    `${name} must consist of visible ASCII characters without spaces; check what was copied with it.`,
  );
}

function checkFunction<T>(name: string, value: T): T {
  if (typeof value === 'function') return value;
  throw new TypeError(`${name} must be a function.`);
}
