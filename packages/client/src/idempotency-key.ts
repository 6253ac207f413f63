import { InvalidRequestError } from './errors.ts';

/** As the service accepts it. */
const KEY = /^[\x21-\x7e]{1,255}$/;

/** The key of a write: that of the caller, or a random one. It is checked, because `fetch` calls a bad header a failed request. */
export function idempotencyKeyOf(given: string | undefined): string {
  if (given === undefined) return randomKey();
  if (typeof given === 'string' && KEY.test(given)) return given;
  throw new InvalidRequestError('idempotencyKey must be 1 to 255 visible ASCII characters.');
}

/** Browsers have `crypto.randomUUID` only on pages that were loaded with HTTPS, and these bytes everywhere. */
function randomKey(): string {
  const bytes = globalThis.crypto.getRandomValues(new Uint8Array(16));
  return Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join('');
}
