import type { Worker } from 'node:cluster';
import type { Service } from '../../service.ts';

/** That keys were revoked; the number is what whoever sends it calls this piece of news. */
export interface KeyNews {
  ended: readonly string[];
  news: number;
}

/** What a worker tells the process that started it. */
export type FromWorker =
  | { addresses: Service['addresses'] }
  | { failed: string }
  | KeyNews
  /** It takes no token of the keys in this news any more. */
  | { refuses: number }
  /** It is to stop, and nobody is waiting to connect. */
  | { readyToClose: true };

/** What a worker is told. */
export type ToWorker =
  | { drain: true }
  | { stop: true }
  /** Nobody can connect to those that are stopping. */
  | { closed: true }
  | KeyNews
  /** All the others refuse, too. */
  | { allRefuse: number };

/** One that is gone by then needs no word: its end is noticed by itself. */
export function tellWorker(worker: Worker, message: ToWorker): void {
  if (worker.isConnected()) worker.send(message, () => {});
}
