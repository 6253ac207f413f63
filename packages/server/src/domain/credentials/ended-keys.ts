import type { Clock } from '../clock.ts';
import { oneAtATime } from '../one-at-a-time.ts';
import { LONGEST_TOKEN_SECONDS } from './access-token.ts';
import type { EndedKeys } from './authenticate.ts';

export interface KeyExpiry {
  keyId: string;
  expiresAt: number;
}

export interface KeyEnds {
  countRevoked(): Promise<number>;
  /** All that were ever revoked. When that was is not asked: the clock of whoever revoked them may be wrong. */
  revokedIds(): Promise<string[]>;
  /** Later than `since`; what expired earlier has no living token. */
  expiringAfter(since: number): Promise<KeyExpiry[]>;
}

/** Is called once keys have been revoked for good; resolves when no process of this machine takes a token of theirs. */
export type KeysEnded = (keyIds: readonly string[]) => Promise<void>;

/**
 * Revocations only ever become more, so the same number means the same keys; but a database that was restored while we
 * ran may have as many others. All are therefore read again this often, whatever their number.
 */
const READ_ALL_AFTER_MS = 45_000;

/** The ends of keys in memory, loaded anew whenever the store says that something changed. */
export class EndedKeysMirror implements EndedKeys {
  readonly #keys: KeyEnds;
  readonly #clock: Clock;
  /** Only ever added to: what was begun to be read before a revocation must not bring its key back. */
  readonly #revoked = new Set<string>();
  #revokedCount = -1;
  #allReadAt = Number.NEGATIVE_INFINITY;
  #expiries = new Map<string, number>();

  constructor(deps: { keys: KeyEnds; clock: Clock }) {
    this.#keys = deps.keys;
    this.#clock = deps.clock;
  }

  hasEnded(keyId: string, now: number): boolean {
    if (this.#revoked.has(keyId)) return true;
    const expiresAt = this.#expiries.get(keyId);
    return expiresAt !== undefined && expiresAt <= now;
  }

  /** For keys whose revocation is known already: at once, and without the store. */
  end(keyIds: readonly string[]): void {
    for (const keyId of keyIds) this.#revoked.add(keyId);
  }

  readonly load = oneAtATime(async () => {
    await this.#loadRevoked();
    const since = this.#clock.now() - LONGEST_TOKEN_SECONDS * 1000;
    const expiries = await this.#keys.expiringAfter(since);
    this.#expiries = new Map(expiries.map(({ keyId, expiresAt }) => [keyId, expiresAt]));
  });

  async #loadRevoked(): Promise<void> {
    const now = this.#clock.now();
    // Also when the clock was set back.
    const isDue = Math.abs(now - this.#allReadAt) >= READ_ALL_AFTER_MS;
    if (!isDue && (await this.#keys.countRevoked()) === this.#revokedCount) return;
    const keyIds = await this.#keys.revokedIds();
    this.end(keyIds);
    this.#revokedCount = keyIds.length;
    this.#allReadAt = now;
  }
}
