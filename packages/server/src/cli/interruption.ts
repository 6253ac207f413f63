import { constants } from 'node:os';
import { STOP_SIGNALS } from './serving/stop.ts';

/** One press of Ctrl-C may come twice: from the terminal, and from whoever started us and passes it on. */
const SAME_REQUEST_MS = 1000;

/** A signal has stopped the command, which has left everything in order. The process then ends by that same signal. */
export class Interrupted extends Error {
  readonly signal: NodeJS.Signals;

  constructor(signal: NodeJS.Signals) {
    super(`Stopped by ${signal}`);
    this.signal = signal;
  }
}

/** For work that takes long: it hears of a signal, and may come to an orderly end. Told once more, the process ends at once. */
export async function interruptible<T>(work: (stop: AbortSignal) => Promise<T>): Promise<T> {
  const controller = new AbortController();
  let toldAt: number | undefined;
  const hear = (signal: NodeJS.Signals) => {
    if (toldAt !== undefined && performance.now() - toldAt > SAME_REQUEST_MS) {
      process.exit(128 + constants.signals[signal]);
    }
    toldAt ??= performance.now();
    controller.abort(new Interrupted(signal));
  };
  for (const signal of STOP_SIGNALS) process.on(signal, hear);
  try {
    return await work(controller.signal);
  } finally {
    for (const signal of STOP_SIGNALS) process.off(signal, hear);
  }
}
