import { sleep } from './abortable.ts';
import {
  ConflictError,
  ConnectionError,
  RateLimitError,
  RollcallError,
  ServiceUnavailableError,
  TimeoutError,
  withAttempts,
} from './errors.ts';
import { isTlsFailure } from './transport-failure.ts';

/** A failed attempt that will be followed by another one. */
export interface Retry {
  /** The error of the attempt. */
  error: RollcallError;
  /** How many attempts of this call have failed so far. */
  attempts: number;
  /** The wait before the next attempt, in milliseconds. */
  waitMs: number;
}

/** How long a call is tried. */
export interface RetryLimits {
  maxRetries: number;
  retryForMs: number;
}

/** How long to wait between two attempts. */
export interface RetryWaits {
  retryBaseMs: number;
  retryMaxMs: number;
}

export interface RetrySettings extends RetryLimits, RetryWaits {
  onRetry: ((retry: Retry) => void) | undefined;
}

/** 500 is missing here, because it is a defect that a retry does not fix. */
const TRANSIENT_STATUSES = [502, 503, 504];

/** A call that may wait without limit tries again after this time, even if the service asked for a longer wait. */
const MAX_ASKED_WAIT_MS = 3_600_000;

/** Already beyond the longest timer. Without a limit, a watch that retries for years would overflow the number. */
const DOUBLINGS_MAX = 31;

/**
 * Only for calls that are safe to repeat, as all calls of this package are: writes have an idempotency key. Each attempt
 * is told how much time is left.
 */
export async function withRetries<T>(
  settings: RetrySettings,
  signal: AbortSignal | undefined,
  attempt: (leftMs: number) => Promise<T>,
): Promise<T> {
  const begun = performance.now();
  for (let attempts = 1; ; attempts++) {
    try {
      return await attempt(settings.retryForMs - (performance.now() - begun));
    } catch (error) {
      if (!(error instanceof RollcallError)) throw error;
      const elapsedMs = performance.now() - begun;
      const again = attempts <= settings.maxRetries && isTransient(error);
      const waitMs = again ? retryWaitMs(settings, attempts, error, settings.retryForMs - elapsedMs) : undefined;
      if (waitMs === undefined) throw withAttempts(error, attempts, elapsedMs);
      settings.onRetry?.({ error, attempts, waitMs });
      await sleep(waitMs, signal);
    }
  }
}

/**
 * The wait after this many attempts, or `undefined` if the remaining time is too short for another attempt. The last wait
 * is shortened, so that the last attempt is made at the end of the time.
 */
export function retryWaitMs(
  { retryBaseMs, retryMaxMs }: RetryWaits,
  attempts: number,
  { retryAfterMs: asked = 0 }: RollcallError,
  leftMs: number,
  random: () => number = Math.random,
): number | undefined {
  if (leftMs <= 0 || asked > leftMs) return undefined;
  // Random, so that callers that failed together do not retry together, even if the service asked all for the same wait.
  const own = Math.min(retryMaxMs, retryBaseMs * 2 ** Math.min(attempts - 1, DOUBLINGS_MAX)) * (0.5 + random() / 2);
  const wanted = asked > 0 ? Math.min(asked, MAX_ASKED_WAIT_MS) + random() * retryBaseMs : 0;
  return Math.min(Math.max(own, wanted), leftMs);
}

/** Whether the same call may succeed later without being changed. */
export function isTransient(error: unknown): boolean {
  if (error instanceof ServiceUnavailableError) return TRANSIENT_STATUSES.includes(error.status ?? 0);
  if (error instanceof ConnectionError) return !isTlsFailure(error.cause);
  // An earlier attempt, whose answer was lost, is still running. Any other conflict stays.
  if (error instanceof ConflictError) return error.retryAfterMs !== undefined;
  return error instanceof TimeoutError || error instanceof RateLimitError;
}
