import cluster, { type Worker } from 'node:cluster';
import { type RevokedKeys, sendToWorker, type WorkerMessage } from './worker-messages.ts';

/** A revoked key must be refused within a second. A worker that has not confirmed by then may still accept its tokens. */
const CONFIRMATION_TIMEOUT_MS = 1000;

/**
 * Runs in the primary process. Forwards the keys that one worker has revoked to all others, and tells that worker when all
 * of them refuse the tokens. A worker that does not confirm in time is killed, and is replaced like any other that exits.
 */
export class RevocationRelay {
  readonly #serving = new Set<Worker>();
  readonly #pending = new Map<number, { worker: Worker; confirm(): void }>();
  readonly #log: (message: string) => void;
  #lastMessage = 0;

  constructor(log: (message: string) => void) {
    this.#log = log;
  }

  handleMessage(worker: Worker, message: WorkerMessage): void {
    if ('addresses' in message) this.#serving.add(worker);
    if ('revokedKeyIds' in message) void this.#forward(worker, message);
    if ('confirmed' in message) this.#pending.get(message.confirmed)?.confirm();
  }

  /** A worker that has exited accepts no tokens, so its confirmations are no longer awaited. */
  removeWorker(worker: Worker): void {
    this.#serving.delete(worker);
    for (const each of this.#pending.values()) if (each.worker === worker) each.confirm();
  }

  async #forward(from: Worker, { revokedKeyIds, messageNumber }: RevokedKeys): Promise<void> {
    const others = Object.values(cluster.workers ?? {}).filter((worker) => worker !== from);
    await Promise.all(others.map((worker) => worker && this.#sendAndConfirm(worker, revokedKeyIds)));
    sendToWorker(from, { confirmedByAll: messageNumber });
  }

  #sendAndConfirm(worker: Worker, revokedKeyIds: readonly string[]): Promise<void> {
    const messageNumber = ++this.#lastMessage;
    sendToWorker(worker, { revokedKeyIds, messageNumber });
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
    this.#log(`worker ${worker.process.pid} did not confirm a revoked key within a second; killing it.`);
    worker.process.kill('SIGKILL');
  }
}
