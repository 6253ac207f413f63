import { isFailure } from '../../../domain/failure.ts';
import { isMissingSchema } from './unavailable-errors.ts';

/** How long the primary answers instead after the replica has failed. */
const RETRY_AFTER_MS = 5000;

/** Sends reads that may be slightly out of date to the replica if there is one and it works, and otherwise to the primary. */
export class ReplicaRouter<Server> {
  readonly #primary: Server;
  readonly #replica: Server | undefined;
  #retryAt = Number.NEGATIVE_INFINITY;

  constructor(primary: Server, replica: Server | undefined) {
    this.#primary = primary;
    this.#replica = replica;
  }

  async read<T>(work: (server: Server) => Promise<T>): Promise<T> {
    if (!this.#replica || performance.now() < this.#retryAt) return work(this.#primary);
    try {
      return await work(this.#replica);
    } catch (error) {
      const isBehind = isMissingSchema(error);
      if (isBehind || isFailure(error, 'unavailable')) this.#retryAt = performance.now() + RETRY_AFTER_MS;
      if (isBehind) return work(this.#primary);
      throw error;
    }
  }
}
