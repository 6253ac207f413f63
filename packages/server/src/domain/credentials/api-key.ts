import { randomBytes } from 'node:crypto';
import { crc32 } from 'node:zlib';
import { ENVIRONMENTS, type Environment } from '../environment.ts';

/** An API key as it is stored. The secret is shown once, when the key is created, and is not stored. */
export interface ApiKey {
  id: string;
  workspaceId: number;
  environment: Environment;
  name: string;
  /** The first and last characters of the secret: enough to tell keys apart, but useless to an attacker. */
  preview: string;
  createdAt: number;
  /** The email of the member who created the key; null if an operator created it on the command line. */
  createdBy: string | null;
  expiresAt: number | null;
  revokedAt: number | null;
}

export type RandomBytes = (size: number) => Uint8Array;

const SECRET_BYTES = 32;
const BODY_LENGTH = 50;
const CHECKSUM_LENGTH = 7;
const SHAPE = new RegExp(`^(rc_(${ENVIRONMENTS.join('|')})_[0-9a-z]{${BODY_LENGTH}})([0-9a-z]{${CHECKSUM_LENGTH}})$`);

/** `rc_<environment>_`, 32 random bytes and a checksum in base 36. A double click selects all of it, and scanners can find it in a leak. */
export function makeSecret(environment: Environment, random: RandomBytes = randomBytes): string {
  const body = `rc_${environment}_${base36(random(SECRET_BYTES)).padStart(BODY_LENGTH, '0')}`;
  return body + checksum(body);
}

/** The environment of a well-formed secret. A mistyped or invented key is refused here, without a database read. */
export function environmentOfSecret(secret: string): Environment | undefined {
  const [, body, environment, check] = SHAPE.exec(secret) ?? [];
  if (body === undefined || checksum(body) !== check) return undefined;
  return environment as Environment;
}

export function previewOf(secret: string): string {
  const bodyStart = secret.lastIndexOf('_') + 1;
  return `${secret.slice(0, bodyStart + 4)}…${secret.slice(-4)}`;
}

export function makeKeyId(random: RandomBytes = randomBytes): string {
  return `key_${base36(random(12)).padStart(19, '0')}`;
}

function checksum(body: string): string {
  return crc32(body).toString(36).padStart(CHECKSUM_LENGTH, '0');
}

function base36(bytes: Uint8Array): string {
  return BigInt(`0x${Buffer.from(bytes).toString('hex')}`).toString(36);
}
