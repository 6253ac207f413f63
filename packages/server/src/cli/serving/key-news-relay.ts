import cluster, { type Worker } from 'node:cluster';
import { type FromWorker, type KeyNews, tellWorker } from './worker-messages.ts';

/** The contract's second: a worker that has not confirmed by then may be taking tokens of a revoked key. */
const CONFIRM_MS = 1000;

/**
 * In the process that started the workers: passes on which keys one of them has revoked, and lets it know when all others
 * refuse their tokens. One that does not say so in time is killed, and is replaced like any other that ends.
 */
export class KeyNewsRelay {
  readonly #serving = new Set<Worker>();
  readonly #awaited = new Map<number, { worker: Worker; confirmed(): void }>();
  readonly #say: (message: string) => void;
  #news = 0;

  constructor(say: (message: string) => void) {
    this.#say = say;
  }

  hear(worker: Worker, message: FromWorker): void {
    if ('addresses' in message) this.#serving.add(worker);
    if ('ended' in message) void this.#passOn(worker, message);
    if ('refuses' in message) this.#awaited.get(message.refuses)?.confirmed();
  }

  /** Of a worker that has ended there is nothing to wait for. */
  forget(worker: Worker): void {
    this.#serving.delete(worker);
    for (const each of this.#awaited.values()) if (each.worker === worker) each.confirmed();
  }

  async #passOn(from: Worker, { ended, news }: KeyNews): Promise<void> {
    const others = Object.values(cluster.workers ?? {}).filter((worker) => worker !== from);
    await Promise.all(others.map((worker) => worker && this.#untilRefused(worker, ended)));
    tellWorker(from, { allRefuse: news });
  }

  #untilRefused(worker: Worker, ended: readonly string[]): Promise<void> {
    const news = ++this.#news;
    tellWorker(worker, { ended, news });
    // One that is still starting gets its callers by the same way as this message, and so after it.
    if (!this.#serving.has(worker)) return Promise.resolve();
    return new Promise((resolve) => {
      const timer = setTimeout(() => this.#replace(worker), CONFIRM_MS);
      const confirmed = () => {
        clearTimeout(timer);
        this.#awaited.delete(news);
        resolve();
      };
      this.#awaited.set(news, { worker, confirmed });
    });
  }

  #replace(worker: Worker): void {
    this.#say(`worker ${worker.process.pid} did not answer within a second.`);
    worker.process.kill('SIGKILL');
  }
}
