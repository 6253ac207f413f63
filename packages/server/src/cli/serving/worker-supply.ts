import cluster, { type Worker } from 'node:cluster';
import { sendToWorker, type WorkerMessage } from './worker-messages.ts';

/**
 * How long to wait before the next start: what replaces a worker then has the processor for itself, and workers that end again
 * and again do not keep it busy.
 */
const RESTART_DELAY_MS = 1000;

/**
 * Runs in the primary process. Starts the workers, and one more process that stands by: it has loaded the program, but has
 * opened no store and listens nowhere. It takes the place of a worker that exits, and another one then stands by (decision
 * 128).
 */
export class WorkerSupply {
  readonly #haveServed = new WeakSet<Worker>();
  #standby: Worker | undefined;
  /** How many workers have exited and are not replaced yet. */
  #missing = 0;
  #isStopped = false;

  startWorker(): Worker {
    const worker = cluster.fork();
    sendToWorker(worker, { serve: true });
    return worker;
  }

  startStandby(): void {
    if (this.#isStopped) return;
    this.#standby = cluster.fork();
    this.#replaceMissing();
  }

  isStandby(worker: Worker): boolean {
    return worker === this.#standby;
  }

  handleMessage(worker: Worker, message: WorkerMessage): void {
    if ('addresses' in message) this.#haveServed.add(worker);
  }

  /** Replaces a process that has exited: one is started for each, so there are always as many as before. */
  replace(worker: Worker): void {
    if (this.isStandby(worker)) this.#standby = undefined;
    else this.#missing++;
    this.#replaceMissing();
    // Several workers have exited at once, and one stood by.
    if (this.#missing > 0 && this.#haveServed.has(worker)) this.startStandby();
    else setTimeout(() => this.startStandby(), RESTART_DELAY_MS);
  }

  /** Nothing is started any more. The process that stands by has nothing to finish. */
  stop(): void {
    this.#isStopped = true;
    this.#standby?.process.kill('SIGKILL');
  }

  #replaceMissing(): void {
    if (this.#missing === 0 || !this.#standby) return;
    sendToWorker(this.#standby, { serve: true });
    this.#standby = undefined;
    this.#missing--;
  }
}
