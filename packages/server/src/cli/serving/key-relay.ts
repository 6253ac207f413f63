import cluster, { type Worker } from 'node:cluster';
import { type ChangedKeys, sendToWorker, type WorkerMessage } from './worker-messages.ts';

/** A change to a key must be followed within a second. A worker that has not confirmed by then may accept tokens that have ended. */
const CONFIRMATION_TIMEOUT_MS = 1000;

/**
 * Runs in the primary process. Forwards the keys that one worker has changed to all others, and tells that worker when all
 * of them follow the change. A worker that does not confirm in time is killed, and is replaced like any other that exits.
 */
export class KeyRelay {
  readonly #serving = new Set<Worker>();
  readonly #pending = new Map<number, { worker: Worker; confirm(): void }>();
  readonly #log: (message: string) => void;
  #lastMessage = 0;

  constructor(log: (message: string) => void) {
    this.#log = log;
  }

  handleMessage(worker: Worker, message: WorkerMessage): void {
    if ('addresses' in message) this.#serving.add(worker);
    if ('changedKeys' in message) void this.#forward(worker, message);
    if ('confirmed' in message) this.#pending.get(message.confirmed)?.confirm();
  }

  /** A worker that has exited accepts no tokens, so its confirmations are no longer awaited. */
  removeWorker(worker: Worker): void {
    this.#serving.delete(worker);
    for (const each of this.#pending.values()) if (each.worker === worker) each.confirm();
  }

  async #forward(from: Worker, { changedKeys, messageNumber }: ChangedKeys): Promise<void> {
    const others = Object.values(cluster.workers ?? {}).filter((worker) => worker !== from);
    await Promise.all(others.map((worker) => worker && this.#sendAndConfirm(worker, changedKeys)));
    sendToWorker(from, { confirmedByAll: messageNumber });
  }

  #sendAndConfirm(worker: Worker, changedKeys: ChangedKeys['changedKeys']): Promise<void> {
    const messageNumber = ++this.#lastMessage;
    sendToWorker(worker, { changedKeys, messageNumber });
    // A worker that is still starting receives its connections over the same channel, and so after this message.
    if (!this.#serving.has(worker)) return Promise.resolve();
    return new Promise((resolve) => {
      const timer = setTimeout(() => this.#kill(worker), CONFIRMATION_TIMEOUT_MS);
      const confirm = () => {
        clearTimeout(timer);
        this.#pending.delete(messageNumber);
        resolve();
      };
      this.#pending.set(messageNumber, { worker, confirm });
    });
  }

  #kill(worker: Worker): void {
    this.#log(`worker ${worker.process.pid} did not confirm a change to an API key within a second; killing it.`);
    worker.process.kill('SIGKILL');
  }
}
