import { count, MAX_TIMER_MS, milliseconds } from './amounts.ts';
import type { FetchLike } from './fetch.ts';
import type { Retry, RetrySettings } from './retry.ts';

/** How a service is reached, and how patiently. */
export interface RollcallOptions {
  /**
   * The address of the environment that the key is for, such as `http://localhost:8080`. It may end in a slash or in
   * `/api/v1`. There is no default: without it a `TypeError` is thrown.
   */
  baseUrl: string | undefined;
  /**
   * The API key; access tokens are exchanged for it as needed. It must stay on a server.
   * @defaultValue none: either `apiKey` or `accessToken` must be given
   */
  apiKey?: string | undefined;
  /**
   * Instead of an API key: a token got elsewhere, where the key itself must not go, such as a browser. It is never
   * renewed, and a call that it is refused for ends in an `AuthenticationError`.
   * @defaultValue none: either `apiKey` or `accessToken` must be given
   */
  accessToken?: string | undefined;
  /**
   * How long one attempt may take, in milliseconds, from connecting to the last byte of the body: 1 to 2147483647. The
   * exchange of an access token, where one is needed, is part of the attempt.
   * @defaultValue 30000
   */
  timeoutMs?: number | undefined;
  /**
   * How long a call is tried, in milliseconds from its beginning: no attempt begins later, and a call that still fails
   * then ends in the error of its last attempt. Each request of a walk is a call of its own. 0 turns retries off;
   * `Infinity` leaves only the call's `signal` to end it.
   * @defaultValue 120000
   */
  retryForMs?: number | undefined;
  /**
   * The most attempts that a call may make after its first one: a whole number, or `Infinity`. 0 turns retries off.
   * @defaultValue Infinity: `retryForMs` alone decides
   */
  maxRetries?: number | undefined;
  /**
   * The longest wait before the second attempt, in milliseconds: 0 to 2147483647. It doubles with each attempt up to
   * `retryMaxMs`, and every wait is shortened at random by up to a half.
   * @defaultValue 250
   */
  retryBaseMs?: number | undefined;
  /**
   * No wait between two attempts is longer, in milliseconds: 0 to 2147483647. Only a service that asks for more in
   * `Retry-After` is given more, as far as `retryForMs` allows.
   * @defaultValue 10000
   */
  retryMaxMs?: number | undefined;
  /**
   * Called before each wait between two attempts, to log it. What it throws ends the call.
   * @defaultValue none: retries are silent
   */
  onRetry?: ((retry: Retry) => void) | undefined;
  /**
   * Makes the requests, for example the `fetch` of undici with a proxy.
   * @defaultValue the platform's `fetch`
   */
  fetch?: FetchLike | undefined;
}

export interface Settings extends RetrySettings {
  /** Without a slash at its end. */
  baseUrl: string;
  credential: { apiKey: string } | { accessToken: string };
  timeoutMs: number;
  fetch: FetchLike;
}

const LIMITLESS = { min: 0, max: Number.POSITIVE_INFINITY };

export function settingsOf(options: RollcallOptions): Settings {
  const { timeoutMs = 30_000, retryForMs = 120_000, maxRetries = Number.POSITIVE_INFINITY } = options;
  const { retryBaseMs = 250, retryMaxMs = 10_000, onRetry, fetch = globalThis.fetch } = options;
  return {
    baseUrl: readBaseUrl(options.baseUrl),
    credential: readCredential(options),
    timeoutMs: milliseconds('timeoutMs', timeoutMs, { min: 1, max: MAX_TIMER_MS }),
    retryForMs: milliseconds('retryForMs', retryForMs, LIMITLESS),
    maxRetries: count('maxRetries', maxRetries),
    retryBaseMs: milliseconds('retryBaseMs', retryBaseMs),
    retryMaxMs: milliseconds('retryMaxMs', retryMaxMs),
    onRetry: onRetry === undefined ? undefined : callable('onRetry', onRetry),
    fetch: callable('fetch', fetch),
  };
}

function readBaseUrl(baseUrl: string | undefined): string {
  if (!baseUrl) throw new TypeError('baseUrl is missing: give the address of the service.');
  const url = URL.canParse(baseUrl) ? new URL(baseUrl) : undefined;
  const plain = url && /^https?:$/.test(url.protocol) && !(url.username || url.password || url.search || url.hash);
  // The value is not repeated: it may hold a password.
  if (!plain) throw new TypeError('baseUrl must be a plain address such as http://localhost:8080.');
  return url.href.replace(/\/+$/, '').replace(/\/+api\/+v1$/, '');
}

function readCredential({ apiKey, accessToken }: RollcallOptions): Settings['credential'] {
  if (apiKey && accessToken) throw new TypeError('Give apiKey or accessToken, not both.');
  if (apiKey) return { apiKey: sendable('apiKey', apiKey) };
  if (accessToken) return { accessToken: sendable('accessToken', accessToken) };
  throw new TypeError('apiKey is missing.');
}

/** The value is not repeated: it is a secret. */
function sendable(name: string, value: string): string {
  if (/^[\x21-\x7e]+$/.test(value)) return value;
  throw new TypeError(`${name} must be one word of plain ASCII; something else was pasted along with it.`);
}

function callable<T>(name: string, value: T): T {
  if (typeof value === 'function') return value;
  throw new TypeError(`${name} must be a function.`);
}
