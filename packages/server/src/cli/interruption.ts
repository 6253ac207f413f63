import { constants } from 'node:os';
import { SAME_REQUEST_MS, STOP_SIGNALS } from './stop-signals.ts';

/** A signal has stopped the command, which has cleaned up. The process then ends with the same signal. */
export class InterruptedError extends Error {
  readonly signal: NodeJS.Signals;

  constructor(signal: NodeJS.Signals) {
    super(`Stopped by ${signal}`);
    this.signal = signal;
  }
}

/** Runs long work and aborts `stop` on a signal, so that the work can clean up. A second signal ends the process at once. */
export async function interruptible<T>(work: (stop: AbortSignal) => Promise<T>): Promise<T> {
  const controller = new AbortController();
  let firstSignalAt: number | undefined;
  const onSignal = (signal: NodeJS.Signals) => {
    if (firstSignalAt !== undefined && performance.now() - firstSignalAt > SAME_REQUEST_MS) {
      process.exit(128 + constants.signals[signal]);
    }
    firstSignalAt ??= performance.now();
    controller.abort(new InterruptedError(signal));
  };
  for (const signal of STOP_SIGNALS) process.on(signal, onSignal);
  try {
    return await work(controller.signal);
  } finally {
    for (const signal of STOP_SIGNALS) process.off(signal, onSignal);
  }
}
