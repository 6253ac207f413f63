import { setTimeout as sleep, setImmediate as turnOfTheLoop } from 'node:timers/promises';
import { isatty } from 'node:tty';
import { Failure } from '../../domain/failure.ts';
import type { Service } from '../../service.ts';
import { tell } from '../output.ts';

export const STOP_SIGNALS = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const;

const STANDARD_STREAMS = [0, 1, 2];

/** After the drain. Whatever is in flight by then is cut off, so that the process ends. */
const STOP_TIMEOUT_SECONDS = 30;

/** One press of Ctrl-C may come twice: from the terminal, and from whoever started us and passes it on. */
const SAME_REQUEST_MS = 1000;

interface StopRequest {
  error?: Error;
  /** Nobody will be sent elsewhere, or somebody waits at a terminal: there is nothing to drain for. */
  hurry: boolean;
}

/** That this process should stop. */
export class StopRequests {
  readonly #first = Promise.withResolvers<StopRequest>();
  readonly #hurry = new AbortController();
  readonly #again = Promise.withResolvers<never>();
  #latestAt: number | undefined;
  #isDraining = false;

  /** Listens until the process ends: a late signal must not end it while the store is being closed. */
  constructor() {
    onStopSignal((hurry) => this.#request({ hurry }));
    // Of interest only to those who wait for something else at that moment.
    this.#again.promise.catch(() => {});
  }

  /** Whether there has been one already. A signal is only heard between two turns of the event loop. */
  async isMade(): Promise<boolean> {
    await turnOfTheLoop();
    await turnOfTheLoop();
    return this.#latestAt !== undefined;
  }

  /** Waits for the work, unless we are told once more: then it fails. */
  patiently<T>(work: Promise<T>): Promise<T> {
    return Promise.race([work, this.#again.promise]);
  }

  /**
   * Lets the service run until it should stop, lets its callers go elsewhere meanwhile, and returns when everything in
   * flight has been answered. An error that nobody caught stops it as well, and is thrown then.
   */
  async serve(service: Service, drainSeconds: number): Promise<void> {
    process.on('uncaughtException', (error) => {
      if (this.#latestAt !== undefined) tell(`rollcall: ${error.stack}`);
      this.#request({ error, hurry: true });
    });
    // One that has not been running has no callers.
    if (await this.isMade()) this.#hurry.abort();
    const { error, hurry } = await this.#first.promise;
    if (hurry) this.#hurry.abort();
    try {
      await this.#drain(service, drainSeconds);
      await this.patiently(stopInTime(service));
    } catch (failure) {
      throw error ?? failure;
    }
    if (error) throw error;
  }

  async #drain(service: Service, seconds: number): Promise<void> {
    service.drain();
    this.#isDraining = true;
    await pause(seconds, this.#hurry.signal);
    this.#isDraining = false;
  }

  #request(reason: StopRequest): void {
    const now = performance.now();
    if (this.#latestAt === undefined) this.#first.resolve(reason);
    else if (now - this.#latestAt < SAME_REQUEST_MS) return;
    else if (this.#isDraining) this.#hurry.abort();
    else this.#again.reject(cutOff('Told to stop once more'));
    this.#latestAt = now;
  }
}

/** Calls the listener for every signal that asks this process to stop. */
export function onStopSignal(listener: (hurry: boolean) => void): void {
  for (const signal of STOP_SIGNALS) {
    process.on(signal, () => listener(isOrphan() || (signal === 'SIGINT' && isAtTerminal())));
  }
}

/** Waits, unless it is aborted. */
async function pause(seconds: number, signal: AbortSignal): Promise<void> {
  try {
    await sleep(seconds * 1000, undefined, { signal });
  } catch (error) {
    if (!signal.aborted) throw error;
  }
}

function isAtTerminal(): boolean {
  return STANDARD_STREAMS.some((stream) => isatty(stream));
}

/** Whether the process that started this one, and would have told it to stop, is gone. */
function isOrphan(): boolean {
  return process.connected === false;
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
