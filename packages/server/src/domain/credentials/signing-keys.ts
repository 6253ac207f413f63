import { createPrivateKey, type KeyObject } from 'node:crypto';
import { importJWK, type JWK } from 'jose';
import type { Clock } from '../clock.ts';
import { Failure, isFailure } from '../failure.ts';
import { type InstallationSecrets, type SealedChanges, sealingSecret } from '../installation-secrets.ts';
import { oneAtATime } from '../one-at-a-time.ts';
import { ALGORITHM, type SigningKey, type SigningKeys, type VerifyingKey } from './access-token.ts';
import { type ManageSigningKeysDeps, provideSigningKeys } from './manage-signing-keys.ts';
import {
  nextOf,
  placeOfPrivateKey,
  type SigningKeyChanges,
  type SigningKeyStore,
  type StoredSigningKey,
  signerAt,
} from './signing-key.ts';

/** An unknown `kid` causes a read of the store, so forged tokens can cause at most one per interval. */
const RELOAD_INTERVAL_MS = 1000;

/** A public key in the form in which it is published. */
export interface PublicSigningKey {
  kty: string;
  crv: string;
  x: string;
  kid: string;
  use: 'sig';
  alg: string;
}

interface HeldKey extends StoredSigningKey {
  publicKey: CryptoKey;
  /** Missing if the key is from before encryption, or if the secret is not available. */
  privateKey: KeyObject | undefined;
}

/** The signing keys in memory, so that tokens are verified without a database read. */
export class SigningKeyRing implements SigningKeys {
  readonly #store: SigningKeyStore;
  readonly #secrets: InstallationSecrets;
  readonly #clock: Clock;
  /** By `kid`, in the order in which they sign. */
  #keys = new Map<string, HeldKey>();
  #loadedAt = Number.NEGATIVE_INFINITY;
  #latestLoad: Promise<void> = Promise.resolve();

  private constructor({ signingKeys, secrets, clock }: ManageSigningKeysDeps) {
    this.#store = signingKeys;
    this.#secrets = secrets;
    this.#clock = clock;
  }

  /** Also makes the keys that are missing. */
  static async open(deps: ManageSigningKeysDeps): Promise<SigningKeyRing> {
    const ring = new SigningKeyRing(deps);
    await ring.load();
    if (!ring.#isComplete()) {
      await provideSigningKeys(deps);
      await ring.load();
    }
    return ring;
  }

  current(): SigningKey {
    const current = signerAt([...this.#keys.values()], this.#clock.now());
    if (!current) throw new Error('The key ring is empty.');
    const { kid, publicKey, privateKey } = current;
    if (privateKey) return { kid, publicKey, privateKey };
    throw new Failure(
      'unavailable',
      'Service temporarily unavailable: access tokens cannot be signed, because the signing key cannot be decrypted. The operator has to restart the service with the right secret, or to rotate the signing key if it is damaged.',
    );
  }

  knows(kid: string): boolean {
    return this.#keys.has(kid);
  }

  async byKid(kid: string): Promise<VerifyingKey | undefined> {
    const key = this.#keys.get(kid);
    if (key) return key;
    // A load that is under way or waits for its turn may find the key, and one that has failed says nothing about it.
    const isRecent = this.#clock.now() - this.#loadedAt < RELOAD_INTERVAL_MS;
    await (isRecent ? this.#latestLoad : this.load());
    return this.#keys.get(kid);
  }

  /** All keys that tokens are or will be signed with: the next one, the current one and earlier ones, in this order. */
  published(): PublicSigningKey[] {
    return [...this.#keys.values()].reverse().map(publicForm);
  }

  readonly load = (): Promise<void> => {
    this.#latestLoad = this.#read();
    return this.#latestLoad;
  };

  readonly #read = oneAtATime(async () => {
    this.#loadedAt = this.#clock.now();
    const keys = new Map<string, HeldKey>();
    for (const stored of await this.#store.all()) keys.set(stored.kid, await this.#hold(stored));
    this.#keys = keys;
  });

  #isComplete(): boolean {
    const keys = [...this.#keys.values()];
    return signerAt(keys, this.#clock.now()) !== undefined && nextOf(keys) !== undefined;
  }

  /** A key never changes, so what is in memory is kept. It can go on signing when the secret has been changed since. */
  async #hold(stored: StoredSigningKey): Promise<HeldKey> {
    const held = this.#keys.get(stored.kid);
    return {
      ...stored,
      publicKey: held?.publicKey ?? (await importPublicKey(stored.publicJwk)),
      privateKey: held?.privateKey ?? this.#importPrivateKey(stored),
    };
  }

  /** A key that cannot be opened still verifies. `current` reports it when it is needed. */
  #importPrivateKey({ kid, sealedPrivateJwk }: StoredSigningKey): KeyObject | undefined {
    if (sealedPrivateJwk === null) return undefined;
    let privateJwk: string;
    try {
      privateJwk = this.#secrets.open(placeOfPrivateKey(kid), sealedPrivateJwk);
    } catch (error) {
      if (isFailure(error, 'conflict')) return undefined;
      throw error;
    }
    return createPrivateKey({ key: JSON.parse(privateJwk), format: 'jwk' });
  }
}

/** What a new key signs before a ring has loaded it. */
export function signerOf(secret: Pick<InstallationSecrets, 'open'>, key: StoredSigningKey) {
  const privateJwk = secret.open(placeOfPrivateKey(key.kid), key.sealedPrivateJwk ?? '');
  const privateKey = createPrivateKey({ key: JSON.parse(privateJwk), format: 'jwk' });
  return { current: () => ({ kid: key.kid, privateKey }), published: () => [publicForm(key)] };
}

/** The keys of the installation within a change to it. */
export interface OwnSigningKeys {
  /** What signs now. */
  signingKeys: ReturnType<typeof signerOf>;
  ownKeys: PublicSigningKey[];
}

/** As they are under the lock, which the keys in memory may not be. */
export async function openOwnKeys(
  secrets: InstallationSecrets,
  { signingKeys, sealed }: { signingKeys: SigningKeyChanges; sealed: SealedChanges },
  at: number,
): Promise<OwnSigningKeys> {
  const secret = await sealingSecret(secrets, sealed);
  const keys = await signingKeys.all();
  const signer = signerAt(keys, at);
  if (!signer) throw new Failure('unavailable', 'There is no signing key yet.');
  return { signingKeys: signerOf(secret, signer), ownKeys: ownKeysOf(secret, keys) };
}

/**
 * The keys that the installation has made, because its secret opens their private part. Whoever can write to the database can
 * add a public key, and no private one.
 */
export function ownKeysOf(
  secret: Pick<InstallationSecrets, 'open'>,
  keys: readonly StoredSigningKey[],
): PublicSigningKey[] {
  return keys.filter((key) => isOwn(secret, key)).map(publicForm);
}

function isOwn(
  secret: Pick<InstallationSecrets, 'open'>,
  { kid, publicJwk, sealedPrivateJwk }: StoredSigningKey,
): boolean {
  if (sealedPrivateJwk === null) return false;
  try {
    const opened = JSON.parse(secret.open(placeOfPrivateKey(kid), sealedPrivateJwk)) as JWK;
    return opened.x === (JSON.parse(publicJwk) as JWK).x;
  } catch (error) {
    if (isFailure(error)) return false;
    throw error;
  }
}

/** A key as it is published. */
export function publicForm({ kid, publicJwk }: Pick<StoredSigningKey, 'kid' | 'publicJwk'>): PublicSigningKey {
  const { kty = '', crv = '', x = '' } = JSON.parse(publicJwk) as JWK;
  return { kty, crv, x, kid, use: 'sig', alg: ALGORITHM };
}

async function importPublicKey(jwk: string): Promise<CryptoKey> {
  const key = await importJWK(JSON.parse(jwk) as JWK, ALGORITHM);
  if (key instanceof Uint8Array) throw new Error('A signing key in the store is not an Ed25519 key.');
  return key;
}
