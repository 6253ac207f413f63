import { abortable } from './abortable.ts';
import { TimeoutError } from './errors.ts';
import { linkAbort } from './linked-abort.ts';

/** Work that is over in time: with its result, with a TimeoutError, or with the signal's reason. */
export async function within<T>(
  timeoutMs: number,
  signal: AbortSignal | undefined,
  work: (signal: AbortSignal) => Promise<T>,
): Promise<T> {
  const { controller, release } = linkAbort(signal);
  const timer = setTimeout(
    () => controller.abort(new TimeoutError(`No complete answer within ${timeoutMs} ms.`)),
    timeoutMs,
  );
  try {
    controller.signal.throwIfAborted();
    // A fetch of the caller's own may not heed the signal; nobody waits for it longer than this all the same.
    return await abortable(work(controller.signal), controller.signal);
  } finally {
    clearTimeout(timer);
    release();
  }
}
