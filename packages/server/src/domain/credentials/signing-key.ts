import { randomUUID } from 'node:crypto';
import { exportJWK, generateKeyPair } from 'jose';
import type { InstallationSecret, SealedPlace } from '../sealed-text.ts';
import { ALGORITHM, CLOCK_SKEW_SECONDS, TOKEN_MAX_SECONDS } from './access-token.ts';

/** A signing key as it is stored. */
export interface StoredSigningKey {
  kid: string;
  /** The public key as a JWK. */
  publicJwk: string;
  /** The private key as a JWK, sealed. Null for a key from before encryption, which does not sign any more. */
  sealedPrivateJwk: string | null;
  createdAt: number;
  /** When it begins to sign. Null for the next key, which is already published and does not sign yet. */
  signsFrom: number | null;
}

export interface SigningKeyStore {
  /** In the order in which they sign, with the next key at the end. */
  all(): Promise<StoredSigningKey[]>;
}

/** Changes to signing keys within a change to the installation. */
export interface SigningKeyChanges {
  /** In the same order, read under the lock. */
  all(): Promise<StoredSigningKey[]>;
  add(key: StoredSigningKey): Promise<void>;
  setSignsFrom(kid: string, signsFrom: number): Promise<void>;
  remove(kid: string): Promise<void>;
}

/** What decides when a key signs. */
export type SigningTimes = Pick<StoredSigningKey, 'signsFrom' | 'sealedPrivateJwk'>;

/**
 * A node whose clock is slow signs with a key a little longer, and one whose clock is fast deletes it a little earlier, so the
 * difference that is tolerated counts twice.
 */
const LAST_TOKEN_MS = (TOKEN_MAX_SECONDS + 2 * CLOCK_SKEW_SECONDS) * 1000;

/** The newest key that may already sign, or the first one if the clock of this node is slow. */
export function signerAt<Key extends SigningTimes>(keys: readonly Key[], now: number): Key | undefined {
  const signing = keys.filter(canSign);
  return signing.findLast((key) => (key.signsFrom ?? 0) <= now) ?? signing[0];
}

export function nextOf<Key extends SigningTimes>(keys: readonly Key[]): Key | undefined {
  return keys.find((key) => key.signsFrom === null);
}

/**
 * When the last token of one of these keys has expired, or `undefined` if no other key has taken over from it. From a key from
 * before encryption the first other key takes over, even if by its times, under another clock, it would sign later.
 */
export function endOf<Key extends SigningTimes>(keys: readonly Key[], key: Key): number | undefined {
  const others = key.sealedPrivateJwk === null ? keys : keys.slice(keys.indexOf(key) + 1);
  const successor = others.find(canSign);
  return successor?.signsFrom == null ? undefined : successor.signsFrom + LAST_TOKEN_MS;
}

/** Whether it signs or will sign at a time that is already known. */
function canSign({ signsFrom, sealedPrivateJwk }: SigningTimes): boolean {
  return signsFrom !== null && sealedPrivateJwk !== null;
}

export async function makeSigningKey(
  secret: InstallationSecret,
  createdAt: number,
  signsFrom: number | null,
): Promise<StoredSigningKey> {
  const { privateKey, publicKey } = await generateKeyPair(ALGORITHM, { extractable: true });
  const kid = randomUUID();
  const privateJwk = JSON.stringify(await exportJWK(privateKey));
  return {
    kid,
    publicJwk: JSON.stringify(await exportJWK(publicKey)),
    sealedPrivateJwk: secret.seal(placeOfPrivateKey(kid), privateJwk),
    createdAt,
    signsFrom,
  };
}

export function placeOfPrivateKey(kid: string): SealedPlace {
  return { table: 'signing_keys', column: 'sealed_private_jwk', row: kid };
}
