import type { AttemptSettings } from './attempt.ts';
import type { RetrySettings } from './retry.ts';

export interface RollcallOptions extends Partial<AttemptSettings>, Partial<RetrySettings> {
  /** The API key; access tokens are exchanged for it as needed. */
  apiKey?: string | undefined;
  /** Instead of an API key: a token got elsewhere, where the key itself must not go (a browser). Never renewed. */
  accessToken?: string | undefined;
  /** The address of the environment that the key is for, such as `http://localhost:8080`. */
  baseUrl: string | undefined;
}

export interface Settings extends AttemptSettings, RetrySettings {
  /** Without a slash at its end. */
  baseUrl: string;
  credential: { apiKey: string } | { accessToken: string };
}

export function settingsOf(options: RollcallOptions): Settings {
  return {
    baseUrl: readBaseUrl(options.baseUrl),
    credential: readCredential(options),
    fetch: options.fetch ?? globalThis.fetch,
    timeoutMs: amount('timeoutMs', options.timeoutMs ?? 30_000),
    maxRetries: amount('maxRetries', options.maxRetries ?? 4),
    retryBaseMs: amount('retryBaseMs', options.retryBaseMs ?? 250),
    retryMaxMs: amount('retryMaxMs', options.retryMaxMs ?? 30_000),
  };
}

function readBaseUrl(baseUrl: string | undefined): string {
  if (!baseUrl) throw new TypeError('baseUrl is missing: give the address of the service.');
  const url = URL.canParse(baseUrl) ? new URL(baseUrl) : undefined;
  const plain = url && /^https?:$/.test(url.protocol) && !(url.username || url.password || url.search || url.hash);
  // The value is not repeated: it may hold a password.
  if (!plain) throw new TypeError('baseUrl must be a plain address such as http://localhost:8080.');
  return url.href.replace(/\/+$/, '');
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

function amount(name: string, value: number): number {
  if (value >= 0) return value;
  throw new TypeError(`${name} must be a number from 0.`);
}
