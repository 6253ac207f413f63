import { Failure } from '../../domain/failure.ts';

interface DatabaseUnavailableOptions extends ErrorOptions {
  /** Whether the cause is only a conflict with other work, so that the same operation may soon succeed. */
  isTransient?: boolean;
}

/** The database cannot be used. The reason contains no secrets, so callers may see it. */
export class DatabaseUnavailable extends Failure {
  readonly reason: string;
  readonly isTransient: boolean;

  constructor(reason: string, { isTransient = false, ...options }: DatabaseUnavailableOptions = {}) {
    super('unavailable', `Service temporarily unavailable: ${reason}.`, options);
    this.reason = reason;
    this.isTransient = isTransient;
  }
}

export type UnavailableListener = (failure: DatabaseUnavailable) => void;

/** Passes failures of a database on to listeners, wherever in the engine they occur. */
export class UnavailableEvents {
  readonly #listeners = new Set<UnavailableListener>();

  readonly emit: UnavailableListener = (failure) => {
    for (const listener of this.#listeners) listener(failure);
  };

  readonly subscribe = (listener: UnavailableListener): (() => void) => {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  };
}
