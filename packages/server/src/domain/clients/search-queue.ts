import { Failure } from '../failure.ts';

export interface SearchLimits {
  /** How many searches run at the same time. */
  atOnce: number;
  waitingPerMember: number;
  waitingInAll: number;
  /** How long a search may wait before it is refused. */
  waitMs: number;
}

const RETRY_AFTER_SECONDS = 5;

interface Waiting {
  memberId: number;
  begin(): void;
}

/**
 * Runs one search per member and a few searches in total at the same time, because a search may read many clients and the
 * same process also serves the API. Other searches wait in order of arrival, for a limited time. A search whose caller
 * disconnects leaves the queue.
 */
export class SearchQueue {
  readonly #limits: SearchLimits;
  readonly #searching = new Set<number>();
  readonly #waiting: Waiting[] = [];
  /** How many searches were refused. */
  refused = 0;

  constructor(limits: SearchLimits) {
    this.#limits = limits;
  }

  async run<T>(memberId: number, signal: AbortSignal, search: () => Promise<T>): Promise<T> {
    signal.throwIfAborted();
    if (this.#isFree(memberId)) this.#searching.add(memberId);
    else await this.#wait(memberId, signal);
    try {
      return await search();
    } finally {
      this.#searching.delete(memberId);
      this.#beginNext();
    }
  }

  #isFree(memberId: number): boolean {
    return this.#searching.size < this.#limits.atOnce && !this.#searching.has(memberId);
  }

  #wait(memberId: number, signal: AbortSignal): Promise<void> {
    this.#requireRoom(memberId);
    const { promise, resolve, reject } = Promise.withResolvers<void>();
    const waiting: Waiting = { memberId, begin: resolve };
    const giveUp = (reason: unknown) => {
      const index = this.#waiting.indexOf(waiting);
      // A search that has begun ends by itself when the signal is aborted.
      if (index < 0) return;
      this.#waiting.splice(index, 1);
      reject(reason);
    };
    const onAbort = () => giveUp(signal.reason);
    signal.addEventListener('abort', onAbort);
    const timer = setTimeout(() => giveUp(this.#refuse(tooBusy())), this.#limits.waitMs);
    this.#waiting.push(waiting);
    return promise.finally(() => {
      clearTimeout(timer);
      signal.removeEventListener('abort', onAbort);
    });
  }

  #requireRoom(memberId: number): void {
    const own = this.#waiting.filter((waiting) => waiting.memberId === memberId).length;
    if (own >= this.#limits.waitingPerMember) {
      const message = 'Too many requests: your other searches are still running. Try again in a few seconds.';
      throw this.#refuse(new Failure('rate_limited', message, { retryAfterSeconds: RETRY_AFTER_SECONDS }));
    }
    if (this.#waiting.length >= this.#limits.waitingInAll) throw this.#refuse(tooBusy());
  }

  #refuse(failure: Failure): Failure {
    this.refused++;
    return failure;
  }

  /** Starts the first search in the queue whose member is not searching already. */
  #beginNext(): void {
    const index = this.#waiting.findIndex(({ memberId }) => this.#isFree(memberId));
    const [next] = index < 0 ? [] : this.#waiting.splice(index, 1);
    if (!next) return;
    this.#searching.add(next.memberId);
    next.begin();
  }
}

function tooBusy(): Failure {
  const message = 'Service temporarily unavailable: too many searches are running. Try again in a few seconds.';
  return new Failure('unavailable', message, { retryAfterSeconds: RETRY_AFTER_SECONDS });
}
