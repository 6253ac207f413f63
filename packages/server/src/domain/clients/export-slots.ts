import { Failure } from '../failure.ts';

/** Most exports have ended after this time. */
const RETRY_AFTER_SECONDS = 10;

export interface ExportLimits {
  perMember: number;
  /** Fewer than in all, so that one account cannot keep the others from exporting. */
  perAccount: number;
  inAll: number;
}

/**
 * Limits how many exports may run at the same time, because each holds a connection to the store until its caller has
 * received the whole file. An export that exceeds the limit is refused before anything is read.
 */
export class ExportSlots {
  readonly #limits: ExportLimits;
  readonly #taken: { accountId: number; memberId: number }[] = [];

  /** How many exports were refused. */
  refused = 0;

  get taken(): number {
    return this.#taken.length;
  }

  constructor(limits: ExportLimits) {
    this.#limits = limits;
  }

  /** Takes a slot and returns the function that releases it, which may be called more than once. */
  take({ accountId, memberId }: { accountId: number; memberId: number }): () => void {
    const { perMember, perAccount, inAll } = this.#limits;
    const own = this.#taken.filter((slot) => slot.memberId === memberId).length;
    if (own >= perMember) throw this.#refuse(tooMany(`${own} of your exports`));
    const ofAccount = this.#taken.filter((slot) => slot.accountId === accountId).length;
    if (ofAccount >= perAccount) throw this.#refuse(tooMany(`${ofAccount} exports of your account`));
    if (this.#taken.length >= inAll) {
      const message = 'Service temporarily unavailable: too many exports are running. Try again in a few seconds.';
      throw this.#refuse(new Failure('unavailable', message, { retryAfterSeconds: RETRY_AFTER_SECONDS }));
    }
    const slot = { accountId, memberId };
    this.#taken.push(slot);
    return () => {
      const index = this.#taken.indexOf(slot);
      if (index >= 0) this.#taken.splice(index, 1);
    };
  }

  #refuse(failure: Failure): Failure {
    this.refused++;
    return failure;
  }
}

function tooMany(which: string): Failure {
  const message = `Too many requests: ${which} are still running. Try again when one of them has finished.`;
  return new Failure('rate_limited', message, { retryAfterSeconds: RETRY_AFTER_SECONDS });
}
