import { Failure } from '../../domain/failure.ts';

interface TroubleOptions extends ErrorOptions {
  /** Whether it is only that others were in the way, and the same may well succeed in a moment. */
  passing?: boolean;
}

/** That the database cannot be used, and why, in words that hold no secret and so may be told to anybody. */
export class Trouble extends Failure {
  readonly reason: string;
  readonly passing: boolean;

  constructor(reason: string, { passing = false, ...options }: TroubleOptions = {}) {
    super('unavailable', `Service temporarily unavailable: ${reason}.`, options);
    this.reason = reason;
    this.passing = passing;
  }
}

export type HearTrouble = (trouble: Trouble) => void;

/** Passes on what goes wrong with a database, wherever that is noticed. */
export class TroubleNews {
  readonly #listeners = new Set<HearTrouble>();

  readonly tell: HearTrouble = (trouble) => {
    for (const listener of this.#listeners) listener(trouble);
  };

  readonly subscribe = (listener: HearTrouble): (() => void) => {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  };
}
