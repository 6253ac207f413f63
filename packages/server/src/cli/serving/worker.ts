import cluster from 'node:cluster';
import type { Service, Siblings } from '../../service.ts';
import { tell } from '../output.ts';
import { onStopSignal, stopInTime } from './stop.ts';
import type { FromWorker, ToWorker } from './worker-messages.ts';

/** Those that do not answer are replaced within a second; this is for when the process that does so is in trouble. */
const CONFIRMATION_TIMEOUT_MS = 3000;

/** Requests wait for this, so it is short: one of the others that is stuck does not hold them up. */
const CLOSED_TIMEOUT_MS = 2000;

export const isWorker = cluster.isWorker;

/** In a worker: says how it went, then serves until it is told to stop. */
export async function workUntilStopped(
  start: (siblings: Siblings) => Promise<Service>,
  drainSeconds: number,
): Promise<void> {
  // Listened to from the beginning: the word may come before the service is up.
  const parent = new Parent(drainSeconds);
  const service = await start(parent).catch((error) => {
    send({ failed: error instanceof Error ? error.message : String(error) });
  });
  if (service) {
    send({ addresses: service.addresses });
    void parent.toldToDrain.then(() => service.drain());
    await parent.toldToStop;
    await stopInTime(service);
  }
  if (process.connected) process.disconnect?.();
}

/** The process that started this one, and through it the other workers. */
class Parent implements Siblings {
  readonly toldToDrain: Promise<void>;
  readonly toldToStop: Promise<void>;
  readonly #closed = Promise.withResolvers<void>();
  readonly #unconfirmed = new Map<number, () => void>();
  #news = 0;
  #listener: (keyIds: readonly string[]) => void = () => {};

  constructor(drainSeconds: number) {
    const drain = Promise.withResolvers<void>();
    const stop = Promise.withResolvers<void>();
    this.toldToDrain = drain.promise;
    this.toldToStop = stop.promise;
    // A signal may be for this process alone, or reach all of them, beside the word of the one that started us.
    onStopSignal((hurry) => {
      drain.resolve();
      setTimeout(stop.resolve, hurry ? 0 : drainSeconds * 1000).unref();
    });
    process.on('message', (message: ToWorker) => {
      if ('drain' in message) drain.resolve();
      if ('stop' in message) stop.resolve();
      if ('closed' in message) this.#closed.resolve();
      if ('allRefuse' in message) this.#unconfirmed.get(message.allRefuse)?.();
      if ('ended' in message) {
        this.#listener(message.ended);
        send({ refuses: message.news });
      }
    });
  }

  /** It is the parent that listens, and hands connections to us. One that is on its way when we close would be lost. */
  readonly readyToClose = async (): Promise<void> => {
    if (!process.connected) return;
    const timer = setTimeout(this.#closed.resolve, CLOSED_TIMEOUT_MS);
    send({ readyToClose: true });
    await this.#closed.promise;
    clearTimeout(timer);
  };

  onTold(listener: (keyIds: readonly string[]) => void): void {
    this.#listener = listener;
  }

  async tell(keyIds: readonly string[]): Promise<void> {
    const news = ++this.#news;
    const { promise: confirmed, resolve } = Promise.withResolvers<void>();
    const timer = setTimeout(() => {
      tell('rollcall: it is not known whether every worker has heard of a revoked key.');
      resolve();
    }, CONFIRMATION_TIMEOUT_MS);
    this.#unconfirmed.set(news, resolve);
    send({ ended: keyIds, news });
    await confirmed;
    clearTimeout(timer);
    this.#unconfirmed.delete(news);
  }
}

/** To a process that is gone there is nothing to say: we stop, too, as soon as that is noticed. */
function send(message: FromWorker): void {
  if (process.connected) process.send?.(message, () => {});
}
