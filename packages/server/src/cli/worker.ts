import cluster from 'node:cluster';
import type { Service, Siblings } from '../service.ts';
import { tell } from './output.ts';
import { STOP_SIGNALS, stopInTime } from './stop.ts';
import type { FromWorker, ToWorker } from './worker-messages.ts';

/** Those that do not answer are replaced within a second; this is for when the process that does so is in trouble. */
const CONFIRMATION_TIMEOUT_MS = 3000;

export const isWorker = cluster.isWorker;

/** In a worker: says how it went, then serves until it is told to stop. */
export async function workUntilStopped(start: (siblings: Siblings) => Promise<Service>): Promise<void> {
  // Listened to from the beginning: the word may come before the service is up.
  const parent = new Parent();
  const service = await start(parent).catch((error) => {
    send({ failed: error instanceof Error ? error.message : String(error) });
  });
  if (service) {
    send({ addresses: service.addresses });
    await parent.toldToStop;
    await stopInTime(service);
  }
  process.disconnect?.();
}

/** The process that started this one, and through it the other workers. */
class Parent implements Siblings {
  readonly toldToStop: Promise<void>;
  readonly #unconfirmed = new Map<number, () => void>();
  #news = 0;
  #listener: (keyIds: readonly string[]) => void = () => {};

  constructor() {
    const { promise, resolve } = Promise.withResolvers<void>();
    this.toldToStop = promise;
    // A terminal's interrupt reaches every process, so it may come beside the word of the one that started us.
    for (const signal of STOP_SIGNALS) process.on(signal, () => resolve());
    process.on('message', (message: ToWorker) => {
      if ('stop' in message) resolve();
      if ('allRefuse' in message) this.#unconfirmed.get(message.allRefuse)?.();
      if ('ended' in message) {
        this.#listener(message.ended);
        send({ refuses: message.news });
      }
    });
  }

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
