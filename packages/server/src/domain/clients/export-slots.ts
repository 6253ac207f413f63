import { Failure } from '../failure.ts';

/** Most exports have ended after this time. */
const RETRY_AFTER_SECONDS = 10;

export interface ExportLimits {
  perMember: number;
  inAll: number;
}

/**
 * Limits how many exports may run at the same time, because each holds a connection to the store until its caller has
 * received the whole file. An export that exceeds the limit is refused before anything is read.
 */
export class ExportSlots {
  readonly #limits: ExportLimits;
  readonly #ofMember = new Map<number, number>();
  #taken = 0;

  get taken(): number {
    return this.#taken;
  }

  constructor(limits: ExportLimits) {
    this.#limits = limits;
  }

  /** Takes a slot and returns the function that releases it, which may be called more than once. */
  take(memberId: number): () => void {
    const { perMember, inAll } = this.#limits;
    const own = this.#ofMember.get(memberId) ?? 0;
    if (own >= perMember) {
      const message = `Too many requests: ${own} of your exports are still running. Try again when one of them has finished.`;
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
      if (isHeld) this.#release(memberId);
      isHeld = false;
    };
  }

  #release(memberId: number): void {
    this.#taken--;
    const own = (this.#ofMember.get(memberId) ?? 1) - 1;
    if (own > 0) this.#ofMember.set(memberId, own);
    else this.#ofMember.delete(memberId);
  }
}
