import type { EndedKeys } from './authenticate.ts';
import type { Clock } from './clock.ts';
import { oneAtATime } from './one-at-a-time.ts';

/** When a key ended or will end, be it by revocation or by expiry. */
export interface KeyEnd {
  keyId: string;
  endsAt: number;
}

export interface KeyEnds {
  /** Ends later than `since`; what ended earlier has no living token. */
  endingAfter(since: number): Promise<KeyEnd[]>;
}

/** The ends of keys in memory, loaded anew whenever the store says that something changed. */
export class EndedKeysMirror implements EndedKeys {
  readonly #keys: KeyEnds;
  readonly #clock: Clock;
  readonly #tokenTtlMs: number;
  #ends = new Map<string, number>();

  constructor(deps: { keys: KeyEnds; clock: Clock; ttlSeconds: number }) {
    this.#keys = deps.keys;
    this.#clock = deps.clock;
    this.#tokenTtlMs = deps.ttlSeconds * 1000;
  }

  hasEnded(keyId: string, now: number): boolean {
    const endsAt = this.#ends.get(keyId);
    return endsAt !== undefined && endsAt <= now;
  }

  readonly load = oneAtATime(async () => {
    const ends = await this.#keys.endingAfter(this.#clock.now() - this.#tokenTtlMs);
    this.#ends = new Map(ends.map(({ keyId, endsAt }) => [keyId, endsAt]));
  });
}
