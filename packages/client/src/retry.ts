import { sleep } from './abortable.ts';
import {
  afterAttempts,
  ConnectionError,
  RateLimitError,
  RollcallError,
  ServiceUnavailableError,
  TimeoutError,
} from './errors.ts';
import { isUntrusted } from './transport-failure.ts';

/** An attempt that failed and will be followed by another. */
export interface Retry {
  /** What the attempt ended in. */
  error: RollcallError;
  /** How many attempts of this call have failed so far, from 1 on. */
  attempts: number;
  /** How long it is until the next one, in milliseconds. */
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

/** A 500 is a defect that asking again does not cure. */
const PASSING_STATUSES = [502, 503, 504];

/** Whoever may wait without end still looks again this often, whatever was asked of them. */
const MAX_ASKED_WAIT_MS = 3_600_000;

/** More than any timer allows for. A watch may try for years, and two to the power of that is no number to count with. */
const DOUBLINGS_MAX = 31;

/** Only for what is safe to repeat, as every call of this API that is made here. */
export async function withRetries<T>(
  settings: RetrySettings,
  signal: AbortSignal | undefined,
  attempt: () => Promise<T>,
): Promise<T> {
  const begun = performance.now();
  for (let attempts = 1; ; attempts++) {
    try {
      return await attempt();
    } catch (error) {
      if (!(error instanceof RollcallError)) throw error;
      const elapsedMs = performance.now() - begun;
      const again = attempts <= settings.maxRetries && mayPass(error);
      const waitMs = again ? retryWaitMs(settings, attempts, error, settings.retryForMs - elapsedMs) : undefined;
      if (waitMs === undefined) throw afterAttempts(error, attempts, elapsedMs);
      settings.onRetry?.({ error, attempts, waitMs });
      await sleep(waitMs, signal);
    }
  }
}

/**
 * How long to wait after so many attempts, or undefined where the time that is left is over before there is any point
 * in asking again. The last wait is cut short, so that all of the time is used.
 */
export function retryWaitMs(
  { retryBaseMs, retryMaxMs }: RetryWaits,
  attempts: number,
  { retryAfterMs: asked = 0 }: RollcallError,
  leftMs: number,
  random: () => number = Math.random,
): number | undefined {
  if (leftMs <= 0 || asked > leftMs) return undefined;
  // Callers that failed together must not come back together, neither by our own count nor by the service's.
  const own = Math.min(retryMaxMs, retryBaseMs * 2 ** Math.min(attempts - 1, DOUBLINGS_MAX)) * (0.5 + random() / 2);
  const wanted = asked > 0 ? Math.min(asked, MAX_ASKED_WAIT_MS) + random() * retryBaseMs : 0;
  return Math.min(Math.max(own, wanted), leftMs);
}

/** Whether the same call may succeed later, without anybody having changed it. */
export function mayPass(error: unknown): boolean {
  if (error instanceof ServiceUnavailableError) return PASSING_STATUSES.includes(error.status ?? 0);
  if (error instanceof ConnectionError) return !isUntrusted(error.cause);
  return error instanceof TimeoutError || error instanceof RateLimitError;
}
