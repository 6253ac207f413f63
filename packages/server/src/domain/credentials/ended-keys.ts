import type { Clock } from '../clock.ts';
import { oneAtATime } from '../one-at-a-time.ts';
import { TOKEN_MAX_SECONDS } from './access-token.ts';
import type { EndedKeys } from './authenticate.ts';

export interface KeyExpiry {
  keyId: string;
  expiresAt: number;
}

export interface EndedKeyStore {
  countRevoked(): Promise<number>;
  /** All keys that were ever revoked, regardless of when, because the clock of the node that revoked them may be wrong. */
  revokedIds(): Promise<string[]>;
  /** Keys that expire after `since`. All tokens of keys that expired earlier have expired too. */
  expiringAfter(since: number): Promise<KeyExpiry[]>;
}

/** Called after keys were revoked. Resolves when no process of this machine accepts their access tokens any more. */
export type OnKeysRevoked = (keyIds: readonly string[]) => Promise<void>;

/**
 * Keys are never un-revoked, so the same number of revoked keys means the same keys. A database that was restored while the
 * process runs may have the same number of other keys, so all of them are read again at this interval.
 */
const READ_ALL_AFTER_MS = 45_000;

/** The ended keys in memory, loaded again whenever the store reports a change. */
export class EndedKeyCache implements EndedKeys {
  readonly #keys: EndedKeyStore;
  readonly #clock: Clock;
  /** Keys are only added: a read that started before a revocation must not remove the revoked key again. */
  readonly #revoked = new Set<string>();
  #revokedCount = -1;
  #allReadAt = Number.NEGATIVE_INFINITY;
  #expiries = new Map<string, number>();

  constructor(deps: { keys: EndedKeyStore; clock: Clock }) {
    this.#keys = deps.keys;
    this.#clock = deps.clock;
  }

  hasEnded(keyId: string, now: number): boolean {
    if (this.#revoked.has(keyId)) return true;
    const expiresAt = this.#expiries.get(keyId);
    return expiresAt !== undefined && expiresAt <= now;
  }

  /** Marks keys as revoked immediately, without reading the store. */
  end(keyIds: readonly string[]): void {
    for (const keyId of keyIds) this.#revoked.add(keyId);
  }

  readonly load = oneAtATime(async () => {
    await this.#loadRevoked();
    const since = this.#clock.now() - TOKEN_MAX_SECONDS * 1000;
    const expiries = await this.#keys.expiringAfter(since);
    this.#expiries = new Map(expiries.map(({ keyId, expiresAt }) => [keyId, expiresAt]));
  });

  async #loadRevoked(): Promise<void> {
    const now = this.#clock.now();
    // The absolute value also covers a clock that was set back.
    const isDue = Math.abs(now - this.#allReadAt) >= READ_ALL_AFTER_MS;
    if (!isDue && (await this.#keys.countRevoked()) === this.#revokedCount) return;
    const keyIds = await this.#keys.revokedIds();
    this.end(keyIds);
    this.#revokedCount = keyIds.length;
    this.#allReadAt = now;
  }
}
