import { setTimeout as sleep } from 'node:timers/promises';
import type { Logger } from 'pino';
import { isFailure } from '../domain/failure.ts';
import { type DeliverMailDeps, deliverMail } from '../domain/members/index.ts';

const LOOK_MS = 2000;
/** A mail that is not confirmed by then stays in the queue, and may arrive twice. */
const STOP_MS = 5000;

/** Sends the mail that waits, until the returned function is called. The log contains no addresses. */
export function startMailDelivery(
  deps: Omit<DeliverMailDeps, 'signal' | 'onTrouble' | 'onSent' | 'onGivenUp'>,
  logger: Logger,
): () => Promise<void> {
  const stopping = new AbortController();
  let isFailing = false;
  const reports = {
    onTrouble: (error: unknown) => {
      if (!isFailing) logger.error({ err: error }, 'mail cannot be sent; it will be tried again');
      isFailing = true;
    },
    onSent: () => {
      if (isFailing) logger.info('mail can be sent again');
      isFailing = false;
    },
    onGivenUp: (kind: string, reason: string) => logger.warn({ kind, reason }, 'a mail could not be delivered'),
  };
  let running: Promise<void> | undefined;
  const look = () => {
    running ??= deliverMail({ ...deps, ...reports, signal: stopping.signal })
      .catch((error) => {
        // An unavailable database is reported when the outage begins, and after a stop the database is closed.
        if (!isFailure(error, 'unavailable') && !stopping.signal.aborted) {
          logger.error({ err: error }, 'delivering mail failed');
        }
      })
      .finally(() => {
        running = undefined;
      });
  };
  const timer = setInterval(look, LOOK_MS).unref();
  return async () => {
    clearInterval(timer);
    stopping.abort();
    await Promise.race([running, sleep(STOP_MS, undefined, { ref: false })]);
  };
}
