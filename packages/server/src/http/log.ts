import { type Logger, pino } from 'pino';

const STDERR = 2;

/** Lines are written together: one write for each would take a tenth of the time of a request. */
const BUFFER_BYTES = 8 * 1024;
const FLUSH_MS = 250;

/** The log of the process, as JSON lines on stderr, never more than a moment behind. */
export function openLog(level: string): { logger: Logger; closeLog(): void } {
  const destination = pino.destination({ dest: STDERR, sync: false, minLength: BUFFER_BYTES });
  const timer = setInterval(() => destination.flush(), FLUSH_MS).unref();
  return {
    logger: pino({ level, base: null }, destination),
    closeLog: () => {
      clearInterval(timer);
      destination.flushSync();
    },
  };
}
