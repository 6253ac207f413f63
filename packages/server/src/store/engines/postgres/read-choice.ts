import { isFailure } from '../../../domain/failure.ts';
import { lacksSchema } from './failures.ts';

/** After a replica has failed, the primary answers for this long before the replica is tried again. */
const REST_MS = 5000;

/** Decides who answers what may lie a little in the past: the replica if there is one and it is well, or the primary. */
export class ReadChoice<Server> {
  readonly #primary: Server;
  readonly #replica: Server | undefined;
  #restsUntil = Number.NEGATIVE_INFINITY;

  constructor(primary: Server, replica: Server | undefined) {
    this.#primary = primary;
    this.#replica = replica;
  }

  async read<T>(work: (server: Server) => Promise<T>): Promise<T> {
    if (!this.#replica || performance.now() < this.#restsUntil) return work(this.#primary);
    try {
      return await work(this.#replica);
    } catch (error) {
      const isBehind = lacksSchema(error);
      if (isBehind || isFailure(error, 'unavailable')) this.#restsUntil = performance.now() + REST_MS;
      if (isBehind) return work(this.#primary);
      throw error;
    }
  }
}
