import { setImmediate as nextLoopTurn, setTimeout as sleep } from 'node:timers/promises';
import { isatty } from 'node:tty';
import { Failure } from '../../domain/failure.ts';
import type { Service } from '../../service.ts';
import { printMessage } from '../output.ts';
import { SAME_REQUEST_MS, STOP_SIGNALS } from '../stop-signals.ts';

const STANDARD_STREAMS = [0, 1, 2];

/** Counted from the end of the drain. Requests that are still in flight then are cut off, so that the process ends. */
const STOP_TIMEOUT_SECONDS = 30;

interface StopRequest {
  error?: Error;
  /** True when no load balancer will send callers elsewhere, or when a person waits at a terminal. */
  skipDrain: boolean;
}

/** Collects the requests to stop this process. */
export class StopRequests {
  readonly #first = Promise.withResolvers<StopRequest>();
  readonly #skipDrain = new AbortController();
  readonly #second = Promise.withResolvers<never>();
  #latestAt: number | undefined;
  #isDraining = false;

  /** Listens until the process ends: a late signal must not end it while the store is being closed. */
  constructor() {
    onStopSignal((skipDrain) => this.#request({ skipDrain }));
    // Without a handler, a rejection that no one awaits would end the process.
    this.#second.promise.catch(() => {});
  }

  /** Whether a stop was requested. Waits for two turns of the event loop, because signals are delivered between turns. */
  async isRequested(): Promise<boolean> {
    await nextLoopTurn();
    await nextLoopTurn();
    return this.#latestAt !== undefined;
  }

  /** Waits for the work, but fails as soon as the process is asked to stop a second time. */
  unlessRequestedTwice<T>(work: Promise<T>): Promise<T> {
    return Promise.race([work, this.#second.promise]);
  }

  /**
   * Serves until a stop is requested, then drains the service and returns when all requests in flight have been answered.
   * An uncaught error stops the service as well, and is thrown afterwards.
   */
  async serve(service: Service, drainSeconds: number): Promise<void> {
    process.on('uncaughtException', (error) => {
      if (this.#latestAt !== undefined) printMessage(`rollcall: ${error.stack}`);
      this.#request({ error, skipDrain: true });
    });
    // A service that has not been running yet has no callers to drain.
    if (await this.isRequested()) this.#skipDrain.abort();
    const { error, skipDrain } = await this.#first.promise;
    if (skipDrain) this.#skipDrain.abort();
    try {
      await this.#drain(service, drainSeconds);
      await this.unlessRequestedTwice(stopWithTimeout(service));
    } catch (failure) {
      throw error ?? failure;
    }
    if (error) throw error;
  }

  async #drain(service: Service, seconds: number): Promise<void> {
    service.drain();
    this.#isDraining = true;
    await pause(seconds, this.#skipDrain.signal);
    this.#isDraining = false;
  }

  #request(reason: StopRequest): void {
    const now = performance.now();
    if (this.#latestAt === undefined) this.#first.resolve(reason);
    else if (now - this.#latestAt < SAME_REQUEST_MS) return;
    else if (this.#isDraining) this.#skipDrain.abort();
    else this.#second.reject(cutOffFailure('The service was asked to stop a second time'));
    this.#latestAt = now;
  }
}

/** Calls the listener for every signal that asks this process to stop. */
export function onStopSignal(listener: (skipDrain: boolean) => void): void {
  for (const signal of STOP_SIGNALS) {
    process.on(signal, () => listener(isOrphan() || (signal === 'SIGINT' && isAtTerminal())));
  }
}

/** Waits until the time is over or the signal is aborted. */
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

/** Whether the process that started this one, and would have asked it to stop, has exited. */
function isOrphan(): boolean {
  return process.connected === false;
}

export async function stopWithTimeout(service: Service): Promise<void> {
  const { promise: overdue, reject } = Promise.withResolvers<never>();
  const giveUp = () => reject(cutOffFailure(`Stopping the service took longer than ${STOP_TIMEOUT_SECONDS} seconds`));
  const timer = setTimeout(giveUp, STOP_TIMEOUT_SECONDS * 1000);
  try {
    await Promise.race([service.stop(), overdue]);
  } finally {
    clearTimeout(timer);
  }
}

function cutOffFailure(reason: string): Failure {
  return new Failure('unavailable', `${reason}; requests in flight were cut off.`);
}
