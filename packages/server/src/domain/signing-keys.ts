import { randomUUID } from 'node:crypto';
import { exportJWK, generateKeyPair, importJWK, type JWK } from 'jose';
import { ALGORITHM, type SigningKey, type SigningKeys } from './access-token.ts';
import type { Clock } from './clock.ts';

/** A signing key as it is stored: the private JWK as text. */
export interface StoredSigningKey {
  kid: string;
  privateJwk: string;
  createdAt: number;
}

export interface SigningKeyStore {
  /** Oldest first. */
  all(): Promise<StoredSigningKey[]>;
  /** Adds the key unless there is one already: of many nodes that start at once, one wins. */
  addFirst(key: StoredSigningKey): Promise<void>;
}

/** An unknown `kid` costs a look at the store, so a flood of forged tokens may cause only this many. */
const RELOAD_INTERVAL_MS = 1000;

/** The signing keys in memory: tokens are verified without a database read. */
export class KeyRing implements SigningKeys {
  readonly #store: SigningKeyStore;
  readonly #clock: Clock;
  #keys = new Map<string, SigningKey>();
  #current: SigningKey | undefined;
  #loadedAt = Number.NEGATIVE_INFINITY;

  private constructor(store: SigningKeyStore, clock: Clock) {
    this.#store = store;
    this.#clock = clock;
  }

  static async open(deps: { signingKeys: SigningKeyStore; clock: Clock }): Promise<KeyRing> {
    const ring = new KeyRing(deps.signingKeys, deps.clock);
    await ring.load();
    if (!ring.#current) {
      await deps.signingKeys.addFirst(await makeSigningKey(deps.clock.now()));
      await ring.load();
    }
    return ring;
  }

  current(): SigningKey {
    if (!this.#current) throw new Error('The key ring is empty.');
    return this.#current;
  }

  knows(kid: string): boolean {
    return this.#keys.has(kid);
  }

  async byKid(kid: string): Promise<SigningKey | undefined> {
    const key = this.#keys.get(kid);
    if (key || this.#clock.now() - this.#loadedAt < RELOAD_INTERVAL_MS) return key;
    await this.load();
    return this.#keys.get(kid);
  }

  async load(): Promise<void> {
    this.#loadedAt = this.#clock.now();
    const keys = await Promise.all((await this.#store.all()).map(importSigningKey));
    this.#keys = new Map(keys.map((key) => [key.kid, key]));
    this.#current = keys.at(-1);
  }
}

async function makeSigningKey(createdAt: number): Promise<StoredSigningKey> {
  const { privateKey } = await generateKeyPair(ALGORITHM, { extractable: true });
  return { kid: randomUUID(), privateJwk: JSON.stringify(await exportJWK(privateKey)), createdAt };
}

async function importSigningKey({ kid, privateJwk }: StoredSigningKey): Promise<SigningKey> {
  const { d, ...publicJwk } = JSON.parse(privateJwk) as JWK;
  const [privateKey, publicKey] = await Promise.all([
    importKey({ ...publicJwk, ...(d !== undefined && { d }) }),
    importKey(publicJwk),
  ]);
  return { kid, privateKey, publicKey };
}

async function importKey(jwk: JWK): Promise<CryptoKey> {
  const key = await importJWK(jwk, ALGORITHM);
  if (key instanceof Uint8Array) throw new Error('A signing key in the store is not an Ed25519 key.');
  return key;
}
