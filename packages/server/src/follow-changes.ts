import type { Logger } from 'pino';

interface Mirror {
  load(): Promise<void>;
}

/**
 * Loads the mirrors anew whenever the store has changed. Says once that the store is away, and once that it is back,
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
      if (!isAway) logger.error({ err: error }, 'changes cannot be seen');
      isAway = true;
    }
  };
  const forget = onChange(() => {
    last = load();
  });
  return () => {
    forget();
    return last;
  };
}
