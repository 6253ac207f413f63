import { randomUUID } from 'node:crypto';
import { exportJWK, generateKeyPair, importJWK, type JWK } from 'jose';
import { type ChangeInstallation, OPERATOR } from '../change.ts';
import type { Clock } from '../clock.ts';
import { Failure } from '../failure.ts';
import { oneAtATime } from '../one-at-a-time.ts';
import { ALGORITHM, type SigningKey, type SigningKeys } from './access-token.ts';

/** A signing key as it is stored, with the private JWK as text. */
export interface StoredSigningKey {
  kid: string;
  privateJwk: string;
  createdAt: number;
}

export interface SigningKeyStore {
  /** Oldest first. */
  all(): Promise<StoredSigningKey[]>;
}

/** Changes to signing keys within a change to the installation. */
export interface SigningKeyChanges {
  /** Oldest first, read under the lock. */
  all(): Promise<StoredSigningKey[]>;
  add(key: StoredSigningKey): Promise<void>;
  remove(kid: string): Promise<void>;
}

export interface SigningKeysDeps {
  signingKeys: SigningKeyStore;
  changeInstallation: ChangeInstallation<{ signingKeys: SigningKeyChanges }>;
  clock: Clock;
}

/** All nodes have loaded a new key long before the first token is signed with it. */
const SIGNS_AFTER_MS = 10_000;

/** An unknown `kid` causes a read of the store, so forged tokens can cause at most one per interval. */
const RELOAD_INTERVAL_MS = 1000;

/** The signing keys in memory, so that tokens are verified without a database read. */
export class SigningKeyRing implements SigningKeys {
  readonly #store: SigningKeyStore;
  readonly #clock: Clock;
  /** By `kid`, oldest first. */
  #keys = new Map<string, SigningKey & { createdAt: number }>();
  #loadedAt = Number.NEGATIVE_INFINITY;

  private constructor(store: SigningKeyStore, clock: Clock) {
    this.#store = store;
    this.#clock = clock;
  }

  static async open(deps: SigningKeysDeps): Promise<SigningKeyRing> {
    const ring = new SigningKeyRing(deps.signingKeys, deps.clock);
    await ring.load();
    if (ring.#keys.size === 0) {
      await addFirst(deps);
      await ring.load();
    }
    return ring;
  }

  current(): SigningKey {
    const current = signer([...this.#keys.values()], this.#clock.now());
    if (!current) throw new Error('The key ring is empty.');
    return current;
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

  readonly load = oneAtATime(async () => {
    this.#loadedAt = this.#clock.now();
    const stored = await this.#store.all();
    const keys = await Promise.all(
      stored.map(async (key) => ({ ...(await importSigningKey(key)), createdAt: key.createdAt })),
    );
    this.#keys = new Map(keys.map((key) => [key.kid, key]));
  });
}

/** If several nodes start at the same time, only one of them creates the key. */
async function addFirst({ changeInstallation, clock }: SigningKeysDeps): Promise<void> {
  const at = clock.now();
  const key = await makeSigningKey(at);
  await changeInstallation({ actor: OPERATOR, at }, async (change) => {
    if ((await change.signingKeys.all()).length === 0) await change.signingKeys.add(key);
  });
}

/** Adds a key that starts to sign a little later. Tokens signed with older keys stay valid until they expire. */
export async function rotateSigningKey({
  changeInstallation,
  clock,
}: SigningKeysDeps): Promise<{ kid: string; signsFrom: number }> {
  const at = clock.now();
  const key = await makeSigningKey(at);
  await changeInstallation({ actor: OPERATOR, at }, (change) => change.signingKeys.add(key));
  return { kid: key.kid, signsFrom: signsFrom(key) };
}

/** For a key that leaked: every token that it signed becomes invalid within a second. */
export async function retireSigningKey({ changeInstallation, clock }: SigningKeysDeps, kid: string): Promise<void> {
  const at = clock.now();
  await changeInstallation({ actor: OPERATOR, at }, async (change) => {
    const keys = await change.signingKeys.all();
    if (!keys.some((key) => key.kid === kid)) {
      throw new Failure(
        'not_found',
        `There is no signing key ${kid}. \`rollcall signing-key list\` shows all signing keys.`,
      );
    }
    if (signer(keys, at)?.kid === kid) {
      throw new Failure(
        'conflict',
        'This key is used to sign new tokens. Run `rollcall signing-key rotate`, and retire this key when the new one is in use.',
      );
    }
    await change.signingKeys.remove(kid);
  });
}

/** The newest key that may already sign. The first key of an installation may sign immediately. */
function signer<Key extends { createdAt: number }>(keys: readonly Key[], now: number): Key | undefined {
  return keys.findLast((key) => signsFrom(key) <= now) ?? keys[0];
}

function signsFrom({ createdAt }: { createdAt: number }): number {
  return createdAt + SIGNS_AFTER_MS;
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
