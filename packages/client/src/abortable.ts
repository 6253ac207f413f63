import { MAX_TIMER_MS } from './option-values.ts';

/** Settles like the promise, or rejects with the signal's reason if the signal is aborted first. The work itself goes on. */
export function abortable<T>(promise: Promise<T>, signal: AbortSignal | undefined): Promise<T> {
  if (!signal) return promise;
  return new Promise((resolve, reject) => {
    const giveUp = () => reject(signal.reason);
    if (signal.aborted) giveUp();
    // Once, because a promise that is left behind may never settle and remove the listener.
    else signal.addEventListener('abort', giveUp, { once: true });
    promise.then(resolve, reject).finally(() => signal.removeEventListener('abort', giveUp));
  });
}

/** The timer keeps the process alive, because the caller continues afterwards. */
export function sleep(milliseconds: number, signal: AbortSignal | undefined): Promise<void> {
  return settledWithin(new Promise(() => {}), milliseconds, signal);
}

/** Waits for the promise, but not for longer than this time, which may be infinite. */
export function settledWithin(
  promise: Promise<void>,
  milliseconds: number,
  signal: AbortSignal | undefined,
): Promise<void> {
  let timer: ReturnType<typeof setTimeout>;
  const over = new Promise<void>((resolve) => {
    timer = setTimeout(resolve, Math.min(milliseconds, MAX_TIMER_MS));
  });
  return abortable(Promise.race([promise, over]), signal).finally(() => clearTimeout(timer));
}
