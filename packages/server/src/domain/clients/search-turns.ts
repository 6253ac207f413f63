import { Failure } from '../failure.ts';

export interface SearchLimits {
  /** How many search at the same time. */
  atOnce: number;
  waitingPerMember: number;
  waitingInAll: number;
  /** How long anybody waits for their turn. */
  waitMs: number;
}

const RETRY_AFTER_SECONDS = 5;

interface Waiting {
  memberId: number;
  begin(): void;
}

/**
 * Lets a member search once at a time, and few members at the same time: a search looks at every client, and the API is
 * answered by the same process. Others wait for their turn, in the order in which they came, and not for long; those who
 * leave lose their place.
 */
export class SearchTurns {
  readonly #limits: SearchLimits;
  readonly #searching = new Set<number>();
  readonly #waiting: Waiting[] = [];

  constructor(limits: SearchLimits) {
    this.#limits = limits;
  }

  async take<T>(memberId: number, left: AbortSignal, search: () => Promise<T>): Promise<T> {
    left.throwIfAborted();
    if (this.#isFree(memberId)) this.#searching.add(memberId);
    else await this.#turn(memberId, left);
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

  #turn(memberId: number, left: AbortSignal): Promise<void> {
    this.#requireRoom(memberId);
    const { promise, resolve, reject } = Promise.withResolvers<void>();
    const waiting: Waiting = { memberId, begin: resolve };
    const giveUp = (reason: unknown) => {
      const place = this.#waiting.indexOf(waiting);
      // Whoever has begun is told by their search itself.
      if (place < 0) return;
      this.#waiting.splice(place, 1);
      reject(reason);
    };
    const leave = () => giveUp(left.reason);
    left.addEventListener('abort', leave);
    const timer = setTimeout(() => giveUp(tooBusy()), this.#limits.waitMs);
    this.#waiting.push(waiting);
    return promise.finally(() => {
      clearTimeout(timer);
      left.removeEventListener('abort', leave);
    });
  }

  #requireRoom(memberId: number): void {
    const own = this.#waiting.filter((waiting) => waiting.memberId === memberId).length;
    if (own >= this.#limits.waitingPerMember) {
      const message = 'Too many requests: other searches of yours are still running. Try again in a few seconds.';
      throw new Failure('rate_limited', message, { retryAfterSeconds: RETRY_AFTER_SECONDS });
    }
    if (this.#waiting.length >= this.#limits.waitingInAll) throw tooBusy();
  }

  /** The first in the queue who may: somebody further back is not kept waiting by a member who is searching already. */
  #beginNext(): void {
    const place = this.#waiting.findIndex(({ memberId }) => this.#isFree(memberId));
    const [next] = place < 0 ? [] : this.#waiting.splice(place, 1);
    if (!next) return;
    this.#searching.add(next.memberId);
    next.begin();
  }
}

function tooBusy(): Failure {
  const message = 'Service temporarily unavailable: too many searches are running. Try again in a few seconds.';
  return new Failure('unavailable', message, { retryAfterSeconds: RETRY_AFTER_SECONDS });
}
