import type { Logger } from 'pino';
import { isFailure } from './domain/failure.ts';

/** Data of the store that is held in memory. */
interface CachedFromStore {
  load(): Promise<void>;
}

/** The caches are loaded this often even if the store reports no change, in case a notification was lost. */
const LOAD_ANYWAY_MS = 15_000;

/**
 * Reloads the caches whenever the store has changed, and at regular intervals. Logs once that the store is unavailable and
 * once that it is available again, however many attempts there were. Returns a function that stops this and waits for a
 * load that is under way.
 */
export function followChanges(
  onChange: (listener: () => void) => () => void,
  caches: readonly CachedFromStore[],
  logger: Logger,
): () => Promise<void> {
  let isFailing = false;
  let last: Promise<void> = Promise.resolve();
  const load = async () => {
    try {
      await Promise.all(caches.map((cache) => cache.load()));
      if (isFailing) logger.info('the store is checked for changes again');
      isFailing = false;
    } catch (error) {
      // An unavailable store is explained by its message. Any other error is a defect and needs its stack.
      const details = isFailure(error, 'unavailable') ? { reason: error.message } : { err: error };
      if (!isFailing) logger.error(details, 'cannot check the store for changes');
      isFailing = true;
    }
  };
  const loadNow = () => {
    last = load();
  };
  const stopListening = onChange(loadNow);
  const timer = setInterval(loadNow, LOAD_ANYWAY_MS).unref();
  return () => {
    clearInterval(timer);
    stopListening();
    return last;
  };
}
