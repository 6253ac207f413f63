import { setImmediate as otherWork, setTimeout as sleep } from 'node:timers/promises';
import { LRUCache } from 'lru-cache';
import type { Clock } from '../clock.ts';
import { Failure } from '../failure.ts';
import { NetworkList } from '../network-address.ts';
import { oneAtATime } from '../one-at-a-time.ts';
import type { KeyFacts } from './key-facts.ts';
import { parseRateLimit, type RateLimit } from './rate-limit.ts';

export interface KeyVersions {
  /** A text that changes whenever a key is created or changed. */
  stamp: string;
  /** The newest version among the keys of each workspace. A key that is created or changed later has a newer one. */
  newest: ReadonlyMap<number, number>;
}

export interface KeyDirectoryStore {
  /** The stamp of `versions`, which is cheaper. */
  stamp(): Promise<string>;
  versions(): Promise<KeyVersions>;
  /** The keys that are newer than these versions, together with the versions at the time of the read. */
  changedSince(newest: KeyVersions['newest']): Promise<{ versions: KeyVersions; facts: KeyFacts[] }>;
  /**
   * All keys, also those that were revoked long ago, because the clock of the node that revoked them may be wrong. They are
   * read in slices, between which they may change.
   */
  allFacts(): AsyncIterable<KeyFacts[]>;
  factsOf(keyIds: readonly string[]): Promise<KeyFacts[]>;
}

/** A key in memory. */
export interface KnownKey {
  readonly facts: KeyFacts;
  readonly newestSecret: number;
  /** `undefined` if the key may be used from anywhere. */
  readonly networks: NetworkList | undefined;
  /** Null for no limit, and `undefined` for the limit that all keys have. */
  readonly limit: RateLimit | null | undefined;
}

/** The API keys of all workspaces. The answers come from memory, which follows the store within a second. */
export interface KnownKeys {
  /** The key, if it is in memory with a secret of this number or a newer one. The secret itself may have ended. */
  get(keyId: string, secretNumber: number): KnownKey | undefined;
  /** Finds a key that another process may have created, or rolled, a moment ago. */
  find(keyId: string, secretNumber: number): Promise<KnownKey | undefined>;
  follow(changed: readonly KeyFacts[]): void;
}

/**
 * A database that was restored while the process runs may have the same stamp and other keys, so all of them are read again
 * at this interval.
 */
const READ_ALL_AFTER_MS = 45_000;

/** Keys and secrets that are not in memory are read together, and at most once per interval, whatever callers send. */
const LOOK_UP_INTERVAL_MS = 1000;

/** More unknown secrets than this at the same time are not looked for. The other nodes create far fewer in a second. */
const LOOK_UPS_MAX = 100;

/** Secrets that do not exist are remembered, so that their tokens cause no further reads. About 100 KB. */
const MISSING_MAX = 1000;

/**
 * What a call must know about the keys of all workspaces, in memory, so that no call reads the database. What is new is read
 * whenever the store reports a change, and changes of this machine are followed at once.
 */
export class KeyDirectory implements KnownKeys {
  readonly #store: KeyDirectoryStore;
  readonly #clock: Clock;
  /** The names of secrets, as in `#wanted`. */
  readonly #missing = new LRUCache<string, true>({ max: MISSING_MAX });
  #keys = new Map<string, KnownKey>();
  /** Keys up to these versions are in memory. */
  #versions: KeyVersions = { stamp: '', newest: new Map() };
  #allReadAt = Number.NEGATIVE_INFINITY;
  /** What was learnt while all keys are being read: the read may be older. */
  #learntWhileReading: KeyFacts[] | undefined;
  #lookedUpAt = Number.NEGATIVE_INFINITY;
  #wanted = new Map<string, { keyId: string; secretNumber: number }>();
  #lookUp: Promise<void> | undefined;

  constructor(deps: { keys: KeyDirectoryStore; clock: Clock }) {
    this.#store = deps.keys;
    this.#clock = deps.clock;
  }

  get(keyId: string, secretNumber: number): KnownKey | undefined {
    const known = this.#keys.get(keyId);
    return known && known.newestSecret >= secretNumber ? known : undefined;
  }

  /** The rate limit of a key's own: null for no limit, and `undefined` if it has the limit that all keys have. */
  limitOf(keyId: string): RateLimit | null | undefined {
    return this.#keys.get(keyId)?.limit;
  }

  /** Follows changes immediately, without reading the store. News that arrive late do not undo a later change. */
  follow(changed: readonly KeyFacts[]): void {
    for (const facts of changed) {
      this.#learntWhileReading?.push(facts);
      const known = this.#keys.get(facts.keyId);
      if (!known || known.facts.version <= facts.version) this.#set(this.#keys, facts, known);
      else this.#set(this.#keys, known.facts, { ...known, facts });
    }
  }

  async find(keyId: string, secretNumber: number): Promise<KnownKey | undefined> {
    const name = `${keyId} ${secretNumber}`;
    const known = this.get(keyId, secretNumber);
    if (known || this.#missing.has(name)) return known;
    if (this.#wanted.size >= LOOK_UPS_MAX && !this.#wanted.has(name)) {
      throw new Failure('unavailable', 'Service temporarily unavailable: too many new API keys are used at once.');
    }
    this.#wanted.set(name, { keyId, secretNumber });
    this.#lookUp ??= this.#lookUpWanted();
    await this.#lookUp;
    return this.get(keyId, secretNumber);
  }

  readonly load = oneAtATime(async () => {
    const now = this.#clock.now();
    const isCurrent = Number.isFinite(this.#allReadAt) && (await this.#readNews());
    // The absolute value also covers a clock that was set back.
    const isDue = Math.abs(now - this.#allReadAt) >= READ_ALL_AFTER_MS;
    if (isCurrent && !isDue) return;
    await this.#readAll();
    this.#allReadAt = now;
  });

  /** Returns false if keys are different although none is newer, as in a database that was restored. */
  async #readNews(): Promise<boolean> {
    if ((await this.#store.stamp()) === this.#versions.stamp) return true;
    const { versions, facts } = await this.#store.changedSince(this.#versions.newest);
    if (facts.length === 0 && versions.stamp !== this.#versions.stamp) return false;
    this.#versions = versions;
    this.follow(facts);
    this.#missing.clear();
    return true;
  }

  /** Calls are answered, and changes followed, between the slices. */
  async #readAll(): Promise<void> {
    // If this read fails, the next load begins it again.
    this.#allReadAt = Number.NEGATIVE_INFINITY;
    // Read before the keys, so that a change in between is news.
    this.#versions = await this.#store.versions();
    this.#learntWhileReading = [];
    try {
      const keys = new Map<string, KnownKey>();
      for await (const slice of this.#store.allFacts()) {
        for (const facts of slice) this.#set(keys, facts, this.#keys.get(facts.keyId));
        await otherWork();
        await this.#readNews();
      }
      this.#keys = keys;
      const learnt = this.#learntWhileReading;
      this.#learntWhileReading = undefined;
      this.follow(learnt);
      this.#missing.clear();
    } finally {
      this.#learntWhileReading = undefined;
    }
  }

  async #lookUpWanted(): Promise<void> {
    const elapsed = Math.abs(this.#clock.now() - this.#lookedUpAt);
    await sleep(Math.max(0, LOOK_UP_INTERVAL_MS - elapsed));
    const wanted = this.#wanted;
    this.#wanted = new Map();
    this.#lookUp = undefined;
    this.#lookedUpAt = this.#clock.now();
    const keyIds = new Set([...wanted.values()].map(({ keyId }) => keyId));
    this.follow(await this.#store.factsOf([...keyIds]));
    for (const [name, { keyId, secretNumber }] of wanted) {
      if (!this.get(keyId, secretNumber)) this.#missing.set(name, true);
    }
  }

  #set(keys: Map<string, KnownKey>, facts: KeyFacts, known: KnownKey | undefined): void {
    const merged = known ? withEnds(facts, known.facts) : facts;
    const hasSameNetworks = String(known?.facts.allowedNetworks) === String(merged.allowedNetworks);
    keys.set(merged.keyId, {
      facts: merged,
      newestSecret: newestOf(merged),
      networks: hasSameNetworks ? known?.networks : networksOf(merged),
      limit: merged.rateLimit === null ? undefined : parseRateLimit(merged.rateLimit),
    });
  }
}

/** Whether tokens that were made from this secret of the key are refused. */
export function hasEnded({ facts }: KnownKey, secretNumber: number, now: number): 'key' | 'secret' | undefined {
  if (facts.isRevoked || (facts.expiresAt !== null && facts.expiresAt <= now)) return 'key';
  const secret = facts.secrets.find(({ number }) => number === secretNumber);
  return secret && (secret.endsAt === null || secret.endsAt > now) ? undefined : 'secret';
}

/** Takes a normalised address. */
export function mayBeUsedFrom({ networks }: KnownKey, address: string): boolean {
  return networks === undefined || networks.has(address);
}

/** What has ended stays ended: a read that began before a key was revoked, or a secret ended, must not bring it back. */
function withEnds(facts: KeyFacts, earlier: KeyFacts): KeyFacts {
  const newest = newestOf(earlier);
  return {
    ...facts,
    isRevoked: facts.isRevoked || earlier.isRevoked,
    secrets: facts.secrets.filter(
      ({ number }) => number > newest || earlier.secrets.some((secret) => secret.number === number),
    ),
  };
}

/** The current secret of a key is never ended, so it is among them. */
function newestOf({ secrets }: KeyFacts): number {
  return Math.max(0, ...secrets.map(({ number }) => number));
}

function networksOf({ allowedNetworks }: KeyFacts): NetworkList | undefined {
  return allowedNetworks.length === 0 ? undefined : NetworkList.parse(allowedNetworks.join(','));
}
