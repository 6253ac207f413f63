import { Failure } from '../../domain/failure.ts';

/**
 * The requests with an `Idempotency-Key` that this process is answering. One that is sent again meanwhile is refused. In
 * another process, it waits for the same lock and gets the same answer.
 */
export class RunningRequests {
  readonly #running = new Set<string>();

  async run<T>(key: string, work: () => Promise<T>): Promise<T> {
    if (this.#running.has(key)) {
      const message =
        'The first request with this Idempotency-Key is still running. Try again after it has been answered.';
      throw new Failure('conflict', message, { retryAfterSeconds: 1 });
    }
    this.#running.add(key);
    try {
      return await work();
    } finally {
      this.#running.delete(key);
    }
  }
}
