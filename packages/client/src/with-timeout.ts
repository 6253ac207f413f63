import { abortable } from './abortable.ts';
import { TimeoutError } from './errors.ts';
import { linkAbort } from './link-abort.ts';

/** Returns the result of the work, or fails with a TimeoutError or with the reason of the signal. */
export async function withTimeout<T>(
  timeoutMs: number,
  signal: AbortSignal | undefined,
  work: (signal: AbortSignal) => Promise<T>,
): Promise<T> {
  const { controller, release } = linkAbort(signal);
  const timer = setTimeout(
    () => controller.abort(new TimeoutError(`No complete response within ${timeoutMs} ms.`)),
    timeoutMs,
  );
  try {
    controller.signal.throwIfAborted();
    // A custom fetch may ignore the signal, so the wait for it is limited here as well.
    return await abortable(work(controller.signal), controller.signal);
  } finally {
    clearTimeout(timer);
    release();
  }
}
