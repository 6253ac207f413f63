import type { Logger } from 'pino';
import { isFailure } from './domain/failure.ts';

/** Data of the store that is held in memory. */
interface CachedFromStore {
  load(): Promise<void>;
}

interface ChangeSource {
  onChange(listener: () => void): () => void;
  /** When it was last known that there are no changes about which listeners have not been told. */
  unchangedAt(): number;
}

interface FollowedChanges {
  /** For how long changes may have been missed. */
  lagMs(): number;
  /** Waits for a load that is under way. */
  stop(): Promise<void>;
}

/** The caches are loaded this often even if the store reports no change, in case a notification was lost. */
const LOAD_ANYWAY_MS = 15_000;

/**
 * Reloads the caches whenever the store has changed, and at regular intervals. Logs once that the store is unavailable and
 * once that it is available again, however many attempts there were.
 */
export function followChanges(
  { onChange, unchangedAt }: ChangeSource,
  caches: readonly CachedFromStore[],
  logger: Logger,
): FollowedChanges {
  let isFailing = false;
  let loads = 0;
  // The caches were loaded before this was called.
  let loadedAt = performance.now();
  let last: Promise<void> = Promise.resolve();
  const load = async () => {
    const startedAt = performance.now();
    loads++;
    try {
      await Promise.all(caches.map((cache) => cache.load()));
      if (isFailing) logger.info('the store is checked for changes again');
      isFailing = false;
      loadedAt = Math.max(loadedAt, startedAt);
    } catch (error) {
      // An unavailable store is explained by its message. Any other error is a defect and needs its stack.
      const details = isFailure(error, 'unavailable') ? { reason: error.message } : { err: error };
      if (!isFailing) logger.error(details, 'cannot check the store for changes');
      isFailing = true;
    } finally {
      loads--;
    }
  };
  const loadNow = () => {
    last = load();
  };
  const stopListening = onChange(loadNow);
  const timer = setInterval(loadNow, LOAD_ANYWAY_MS).unref();
  return {
    lagMs: () => {
      const isCurrent = !isFailing && loads === 0;
      return performance.now() - (isCurrent ? Math.max(loadedAt, unchangedAt()) : loadedAt);
    },
    stop: () => {
      clearInterval(timer);
      stopListening();
      return last;
    },
  };
}
