import cluster, { type Worker } from 'node:cluster';
import { sendToWorker } from './worker-messages.ts';

/**
 * Runs in the primary process, which accepts the connections and hands them to the workers one at a time. Those that wait for a
 * worker are lost when the listeners close. So the workers are asked how many they were given, again and again: if there are no
 * more than the last time, none was waiting.
 */
export class ClosingListeners {
  readonly #ready = new Set<Worker>();
  readonly #closed = new WeakSet<Worker>();
  readonly #given = new Map<Worker, number>();
  #givenBefore: number | undefined;

  /** Whether this worker has said that its listeners can be closed. */
  isReady(worker: Worker): boolean {
    return this.#ready.has(worker);
  }

  /** This worker stops on its own and has closed its listeners. */
  handleClosed(worker: Worker): void {
    this.#ready.add(worker);
    this.#closed.add(worker);
  }

  handleReady(worker: Worker, given: number): void {
    this.#ready.add(worker);
    this.#given.set(worker, given);
    this.#closeWhenAllReady();
  }

  removeWorker(worker: Worker): void {
    this.#ready.delete(worker);
    this.#given.delete(worker);
    this.#closeWhenAllReady();
  }

  #closeWhenAllReady(): void {
    const workers = runningWorkers().filter((worker) => !this.#closed.has(worker));
    if (!workers.every((worker) => this.#given.has(worker))) return;
    const given = this.#given.values().reduce((sum, count) => sum + count, 0);
    this.#given.clear();
    const next = given === this.#givenBefore ? closeListeners : askAgain;
    this.#givenBefore = given;
    // After the event loop has accepted the connections that have arrived.
    setImmediate(() => next(workers));
  }
}

export function runningWorkers(): Worker[] {
  return Object.values(cluster.workers ?? {}).filter((worker) => worker !== undefined);
}

function askAgain(workers: readonly Worker[]): void {
  for (const worker of workers) sendToWorker(worker, { isStillReady: true });
}

/** Disconnecting the last worker closes the listeners in this process. Each worker keeps the connections that it has. */
function closeListeners(workers: readonly Worker[]): void {
  for (const worker of workers) worker.disconnect();
  for (const worker of workers) sendToWorker(worker, { closed: true });
}
