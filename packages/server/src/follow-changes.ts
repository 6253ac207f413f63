import type { Logger } from 'pino';
import { isFailure } from './domain/failure.ts';

interface Mirror {
  load(): Promise<void>;
}

/** However quiet the store is, the mirrors are loaded this often: a change that nobody noticed must not last. */
const LOAD_ANYWAY_MS = 15_000;

/**
 * Loads the mirrors anew whenever the store has changed, and now and then anyway. Says once that the store is away, and once that it is back,
 * however often it was tried in between. Returns how to stop, which waits for what is under way.
 */
export function followChanges(
  onChange: (listener: () => void) => () => void,
  mirrors: readonly Mirror[],
  logger: Logger,
): () => Promise<void> {
  let isAway = false;
  let last: Promise<void> = Promise.resolve();
  const load = async () => {
    try {
      await Promise.all(mirrors.map((mirror) => mirror.load()));
      if (isAway) logger.info('changes are seen again');
      isAway = false;
    } catch (error) {
      // Of a store that is away, its word is enough; anything else is a defect.
      const why = isFailure(error, 'unavailable') ? { reason: error.message } : { err: error };
      if (!isAway) logger.error(why, 'changes cannot be seen');
      isAway = true;
    }
  };
  const loadNow = () => {
    last = load();
  };
  const forget = onChange(loadNow);
  const timer = setInterval(loadNow, LOAD_ANYWAY_MS).unref();
  return () => {
    clearInterval(timer);
    forget();
    return last;
  };
}
