import cluster from 'node:cluster';
import type { KeyFacts } from '../../domain/credentials/index.ts';
import type { OtherWorkers, Service } from '../../service.ts';
import { printMessage } from '../output.ts';
import { MetricsReporter } from './metrics-reporter.ts';
import { BucketsOfPrimary } from './shared-rate-limits.ts';
import { onStopSignal, stopWithTimeout } from './stop.ts';
import type { PrimaryMessage, WorkerMessage } from './worker-messages.ts';

/** Workers that do not confirm are replaced within a second. This limit is for a primary process that does not answer. */
const CONFIRMATION_TIMEOUT_MS = 3000;

/** Short, because requests wait for it: another worker that hangs must not delay them. */
const CLOSED_TIMEOUT_MS = 2000;

export const isWorker = cluster.isWorker;

/** Runs in a worker: reports whether the service started, then serves until it is asked to stop. */
export async function serveAsWorker(
  primary: PrimaryProcess,
  start: (otherWorkers: OtherWorkers) => Promise<Service>,
): Promise<void> {
  const service = await start(primary).catch((error) => {
    send({ failed: error instanceof Error ? error.message : String(error) });
  });
  if (service) {
    send({ addresses: service.addresses });
    const reporter = service.metrics && new MetricsReporter(service.metrics, sendAndWait);
    primary.onMetricsQuestion = (number) => {
      reporter?.answer(number).catch((error) => printMessage(`rollcall: metrics cannot be read: ${error}`));
    };
    void primary.drainRequested.then(() => service.drain());
    await primary.stopRequested;
    await stopWithTimeout(service);
    await reporter?.stop();
  }
}

/** The process that started this worker, and through it the other workers. */
export class PrimaryProcess implements OtherWorkers {
  readonly drainRequested: Promise<void>;
  readonly stopRequested: Promise<void>;
  readonly sharedBuckets = new BucketsOfPrimary(send);
  /** A worker that does not serve yet has no callers, and ends at once. */
  drainSeconds = 0;
  onMetricsQuestion: (number: number) => void = () => {};
  readonly #serve = Promise.withResolvers<void>();
  readonly #closed = Promise.withResolvers<void>();
  #sayReady: () => void = () => {};
  readonly #unconfirmed = new Map<number, () => void>();
  #lastMessage = 0;
  #onChangedKeys: (changed: readonly KeyFacts[]) => void = () => {};

  constructor() {
    const drain = Promise.withResolvers<void>();
    const stop = Promise.withResolvers<void>();
    this.drainRequested = drain.promise;
    this.stopRequested = stop.promise;
    // A signal may be sent to this worker alone, or to all processes in addition to the message of the primary.
    onStopSignal((skipDrain) => {
      drain.resolve();
      setTimeout(stop.resolve, skipDrain ? 0 : this.drainSeconds * 1000).unref();
    });
    process.on('message', (message: PrimaryMessage) => {
      if ('serve' in message) this.#serve.resolve();
      if ('drain' in message) drain.resolve();
      if ('stop' in message) stop.resolve();
      if ('isStillReady' in message) this.#sayReady();
      if ('closed' in message) this.#closed.resolve();
      if ('leases' in message) this.sharedBuckets.handleAnswer(message);
      if ('metricsQuestion' in message) this.onMetricsQuestion(message.metricsQuestion);
      if ('confirmedByAll' in message) this.#unconfirmed.get(message.confirmedByAll)?.();
      if ('changedKeys' in message) {
        this.#onChangedKeys(message.changedKeys);
        send({ confirmed: message.messageNumber });
      }
    });
  }

  /** Waits until this worker is asked to serve. Resolves with `false` if it is asked to stop instead. */
  isToServe(): Promise<boolean> {
    return Promise.race([this.#serve.promise.then(() => true), this.drainRequested.then(() => false)]);
  }

  /** Lets this worker end. */
  disconnect(): void {
    if (process.connected) process.disconnect?.();
  }

  /** The primary listens and hands connections to the workers. One that is on its way when a worker closes would be lost. */
  readonly readyToClose = async (connectionsAccepted: () => number): Promise<void> => {
    if (!process.connected) return;
    const timer = setTimeout(this.#closed.resolve, CLOSED_TIMEOUT_MS);
    this.#sayReady = () => send({ readyToClose: connectionsAccepted() });
    this.#sayReady();
    await this.#closed.promise;
    clearTimeout(timer);
  };

  onChangedKeys(listener: (changed: readonly KeyFacts[]) => void): void {
    this.#onChangedKeys = listener;
  }

  async announceChangedKeys(changed: readonly KeyFacts[]): Promise<void> {
    const messageNumber = ++this.#lastMessage;
    const { promise: confirmed, resolve } = Promise.withResolvers<void>();
    const timer = setTimeout(() => {
      printMessage('rollcall: not every worker has confirmed that it follows a change to an API key.');
      resolve();
    }, CONFIRMATION_TIMEOUT_MS);
    this.#unconfirmed.set(messageNumber, resolve);
    send({ changedKeys: changed, messageNumber });
    await confirmed;
    clearTimeout(timer);
    this.#unconfirmed.delete(messageNumber);
  }
}

/** Does nothing when the primary has exited: this worker then stops, too, as soon as the closed channel is noticed. */
function send(message: WorkerMessage): void {
  void sendAndWait(message);
}

function sendAndWait(message: WorkerMessage): Promise<void> {
  return new Promise((resolve) => {
    if (process.connected) process.send?.(message, () => resolve());
    else resolve();
  });
}
