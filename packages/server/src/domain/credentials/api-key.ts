import { randomBytes } from 'node:crypto';
import { crc32 } from 'node:zlib';
import { ENVIRONMENTS, type Environment } from '../environment.ts';

/** What is kept of an API key. The secret itself is shown once and not in here. */
export interface ApiKey {
  id: string;
  workspaceId: number;
  environment: Environment;
  name: string;
  /** First and last characters, enough to tell keys apart and useless to an attacker. */
  preview: string;
  createdAt: number;
  /** The email of the member who made it; null when an operator did, on the command line. */
  createdBy: string | null;
  expiresAt: number | null;
  revokedAt: number | null;
}

export type Randomness = (size: number) => Uint8Array;

const SECRET_BYTES = 32;
const BODY_LENGTH = 50;
const CHECKSUM_LENGTH = 7;
const SHAPE = new RegExp(`^(rc_(${ENVIRONMENTS.join('|')})_[0-9a-z]{${BODY_LENGTH}})([0-9a-z]{${CHECKSUM_LENGTH}})$`);

/** `rc_<environment>_`, 32 random bytes and a checksum in base 36: one word for a double click, findable in a leak. */
export function makeSecret(environment: Environment, random: Randomness = randomBytes): string {
  const body = `rc_${environment}_${base36(random(SECRET_BYTES)).padStart(BODY_LENGTH, '0')}`;
  return body + checksum(body);
}

/** Which environment a well-formed secret is for. A typo or a made-up key ends here, before any look-up. */
export function environmentOfSecret(secret: string): Environment | undefined {
  const [, body, environment, check] = SHAPE.exec(secret) ?? [];
  if (body === undefined || checksum(body) !== check) return undefined;
  return environment as Environment;
}

export function previewOf(secret: string): string {
  const bodyStart = secret.lastIndexOf('_') + 1;
  return `${secret.slice(0, bodyStart + 4)}…${secret.slice(-4)}`;
}

export function makeKeyId(random: Randomness = randomBytes): string {
  return `key_${base36(random(12)).padStart(19, '0')}`;
}

function checksum(body: string): string {
  return crc32(body).toString(36).padStart(CHECKSUM_LENGTH, '0');
}

function base36(bytes: Uint8Array): string {
  return BigInt(`0x${Buffer.from(bytes).toString('hex')}`).toString(36);
}
