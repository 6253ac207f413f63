import { Failure } from '../domain/failure.ts';
import type { Service } from '../service.ts';
import { tell } from './output.ts';

export const STOP_SIGNALS = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const;

/** Whatever is in flight by then is cut off, so that the process ends. */
const STOP_TIMEOUT_SECONDS = 10;

/** One press of Ctrl-C may come twice: from the terminal, and from whoever started us and passes it on. */
const SAME_REQUEST_MS = 1000;

/** That this process should stop. */
export class StopRequests {
  readonly #first = Promise.withResolvers<{ error?: Error }>();
  readonly #again = Promise.withResolvers<never>();
  #firstAt: number | undefined;

  /** Listens until the process ends: a late signal must not end it while the store is being closed. */
  constructor() {
    for (const signal of STOP_SIGNALS) process.on(signal, () => this.#request({}));
    // Of interest only to those who wait for something else at that moment.
    this.#again.promise.catch(() => {});
  }

  /** Waits for the work, unless we are told once more: then it fails. */
  patiently<T>(work: Promise<T>): Promise<T> {
    return Promise.race([work, this.#again.promise]);
  }

  /**
   * Lets the service run until it should stop, and returns when everything in flight has been answered. An error that
   * nobody caught stops it as well, and is thrown then.
   */
  async serve(service: Service): Promise<void> {
    process.on('uncaughtException', (error) => {
      if (this.#firstAt !== undefined) tell(`rollcall: ${error.stack}`);
      this.#request({ error });
    });
    const { error } = await this.#first.promise;
    try {
      await this.patiently(stopInTime(service));
    } catch (failure) {
      throw error ?? failure;
    }
    if (error) throw error;
  }

  #request(reason: { error?: Error }): void {
    const now = performance.now();
    if (this.#firstAt === undefined) this.#first.resolve(reason);
    else if (now - this.#firstAt > SAME_REQUEST_MS) this.#again.reject(cutOff('Told to stop once more'));
    this.#firstAt ??= now;
  }
}

export async function stopInTime(service: Service): Promise<void> {
  const { promise: overdue, reject } = Promise.withResolvers<never>();
  const giveUp = () => reject(cutOff(`It took longer than ${STOP_TIMEOUT_SECONDS} seconds to stop`));
  const timer = setTimeout(giveUp, STOP_TIMEOUT_SECONDS * 1000);
  try {
    await Promise.race([service.stop(), overdue]);
  } finally {
    clearTimeout(timer);
  }
}

function cutOff(why: string): Failure {
  return new Failure('unavailable', `${why}; what was in flight was cut off.`);
}
