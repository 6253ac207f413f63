import type { Logger } from 'pino';
import { isFailure } from './domain/failure.ts';

export interface RegularWork {
  everyMs: number;
  /** Whether it is also done at once. */
  atStart?: boolean;
  run: () => Promise<void>;
  /** What the log says if it fails. */
  failure: string;
  /** For work that is lost if the last attempt fails: details for the log, which must contain no personal data. */
  lost?: () => Record<string, number>;
}

/** Does the work at regular intervals, and once more at the end, when the returned function is called. */
export function regularly({ everyMs, atStart, run, failure, lost }: RegularWork, logger: Logger): () => Promise<void> {
  const attempt = () =>
    run().catch((error) => {
      // An unavailable database is reported when the outage begins.
      if (!isFailure(error, 'unavailable')) logger.error({ err: error }, failure);
    });
  const lastAttempt = async () => {
    if (!lost) return attempt();
    await run().catch((error) => {
      const details = isFailure(error, 'unavailable') ? { reason: error.message } : { err: error };
      logger.error({ ...details, ...lost() }, `${failure} at the end`);
    });
  };
  if (atStart) attempt();
  const timer = setInterval(attempt, everyMs).unref();
  return () => {
    clearInterval(timer);
    return lastAttempt();
  };
}
