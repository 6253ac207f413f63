import { Failure } from '../failure.ts';

/** What is refused may be asked for again after this long: most exports have ended by then. */
const RETRY_AFTER_SECONDS = 10;

export interface ExportLimits {
  perMember: number;
  inAll: number;
}

/**
 * How many files may be under way at once. Each holds a connection to the store until its reader has taken all of it, and
 * whoever is refused hears so before anything was read.
 */
export class ExportPlaces {
  readonly #limits: ExportLimits;
  readonly #ofMember = new Map<number, number>();
  #taken = 0;

  get taken(): number {
    return this.#taken;
  }

  constructor(limits: ExportLimits) {
    this.#limits = limits;
  }

  /** Takes a place, and returns how to give it back, which may be called more than once. */
  take(memberId: number): () => void {
    const { perMember, inAll } = this.#limits;
    const own = this.#ofMember.get(memberId) ?? 0;
    if (own >= perMember) {
      const message = `Too many requests: ${own} exports of yours are still running. Try again when one of them has ended.`;
      throw new Failure('rate_limited', message, { retryAfterSeconds: RETRY_AFTER_SECONDS });
    }
    if (this.#taken >= inAll) {
      const message = 'Service temporarily unavailable: too many exports are running. Try again in a few seconds.';
      throw new Failure('unavailable', message, { retryAfterSeconds: RETRY_AFTER_SECONDS });
    }
    this.#taken++;
    this.#ofMember.set(memberId, own + 1);
    let isHeld = true;
    return () => {
      if (isHeld) this.#giveBack(memberId);
      isHeld = false;
    };
  }

  #giveBack(memberId: number): void {
    this.#taken--;
    const own = (this.#ofMember.get(memberId) ?? 1) - 1;
    if (own > 0) this.#ofMember.set(memberId, own);
    else this.#ofMember.delete(memberId);
  }
}
