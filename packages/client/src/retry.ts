import { sleep } from './abortable.ts';
import { ConnectionError, RateLimitError, RollcallError, ServiceUnavailableError, TimeoutError } from './errors.ts';

export interface RetrySettings {
  /** Attempts after the first one; 0 turns retries off. */
  maxRetries: number;
  /** The wait before the first retry; it doubles with each. */
  retryBaseMs: number;
  /** No wait is longer. A service that asks for more gets no retry: the caller gets the error instead. */
  retryMaxMs: number;
}

/** A 500 is a defect that asking again does not cure. */
const PASSING_STATUSES = [502, 503, 504];

export async function withRetries<T>(
  settings: RetrySettings,
  signal: AbortSignal | undefined,
  attempt: () => Promise<T>,
): Promise<T> {
  for (let retry = 0; ; retry++) {
    try {
      return await attempt();
    } catch (error) {
      const waitMs = retry < settings.maxRetries && mayPass(error) ? retryWaitMs(settings, retry, error) : undefined;
      if (waitMs === undefined) throw error;
      await sleep(waitMs, signal);
    }
  }
}

/** How long to wait before the given retry (from 0), or undefined where that would be too long. */
export function retryWaitMs(
  { retryBaseMs, retryMaxMs }: RetrySettings,
  retry: number,
  error: unknown,
  random: () => number = Math.random,
): number | undefined {
  const asked = error instanceof RollcallError ? error.retryAfterMs : undefined;
  // Callers that failed together must not come back together.
  if (asked !== undefined) return asked > retryMaxMs ? undefined : asked + random() * retryBaseMs;
  const ceiling = Math.min(retryMaxMs, retryBaseMs * 2 ** retry);
  return ceiling * (0.5 + random() / 2);
}

function mayPass(error: unknown): boolean {
  if (error instanceof ServiceUnavailableError) return PASSING_STATUSES.includes(error.status ?? 0);
  return error instanceof ConnectionError || error instanceof TimeoutError || error instanceof RateLimitError;
}
