import { randomBytes } from 'node:crypto';
import { crc32 } from 'node:zlib';
import { ENVIRONMENTS, type Environment } from '../environment.ts';
import type { Scope } from './scope.ts';

/** An API key as it is stored. Its secrets are shown once, when they are made, and are not stored. */
export interface ApiKey {
  id: string;
  workspaceId: number;
  environment: Environment;
  name: string;
  note: string;
  scopes: readonly Scope[];
  /** Addresses and networks from which it may be used; from anywhere if there are none. */
  allowedNetworks: readonly string[];
  /** The limit of its own, as `parseRateLimit` reads it. Null if it has the limit that all keys have. */
  rateLimit: string | null;
  createdAt: number;
  /** The email of the member who created the key; null if an operator created it on the command line. */
  createdBy: string | null;
  expiresAt: number | null;
  revokedAt: number | null;
  lastUsedAt: number | null;
  /** The address of the last caller, if it is known. */
  lastUsedFrom: string | null;
  /** Oldest first; the last one is the current secret. Long-ended ones are not kept. */
  secrets: readonly KeySecret[];
  /** The version of the workspace after the last change to the key. */
  version: number;
}

/** One secret of a key. A key has two that work while it is being rolled, and otherwise one. */
export interface KeySecret {
  /** Counts from 1 within the key. */
  number: number;
  /** The first and last characters of the secret: enough to tell secrets apart, but useless to an attacker. */
  preview: string;
  createdAt: number;
  /** When it stops working because it was replaced; null for the current secret. */
  endsAt: number | null;
  /** Set when it was ended at once. It has then ended whatever the clock of any machine says. */
  endedAt: number | null;
}

export type RandomBytes = (size: number) => Uint8Array;

const SECRET_BYTES = 32;
const BODY_LENGTH = 50;
const CHECKSUM_LENGTH = 7;
const PATTERN = `(rc_(${ENVIRONMENTS.join('|')})_[0-9a-z]{${BODY_LENGTH}})([0-9a-z]{${CHECKSUM_LENGTH}})`;
const SHAPE = new RegExp(`^${PATTERN}$`);
const SHAPE_WITHIN = new RegExp(PATTERN);

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

/** Whether a part of the text looks like a secret, for callers who send one in the wrong place. */
export function containsSecret(text: string): boolean {
  return SHAPE_WITHIN.test(text);
}

export function previewOf(secret: string): string {
  const bodyStart = secret.lastIndexOf('_') + 1;
  return `${secret.slice(0, bodyStart + 4)}…${secret.slice(-4)}`;
}

export function makeKeyId(random: RandomBytes = randomBytes): string {
  return `key_${base36(random(12)).padStart(19, '0')}`;
}

/** The newest secret of a key. */
export function currentSecret({ id, secrets }: ApiKey): KeySecret {
  const current = secrets.at(-1);
  if (!current) throw new Error(`The API key ${id} has no secret.`);
  return current;
}

/** The secret that was replaced and still works, if there is one. */
export function oldSecret(key: ApiKey, now: number): KeySecret | undefined {
  return key.secrets.slice(0, -1).findLast((secret) => isLive(secret, now));
}

export function isLive({ endsAt, endedAt }: KeySecret, now: number): boolean {
  return endedAt === null && (endsAt === null || endsAt > now);
}

/** When the secret stopped working, or will stop; null for the current one. */
export function endOf({ endsAt, endedAt }: KeySecret): number | null {
  return endedAt ?? endsAt;
}

export function isExpired({ expiresAt }: { expiresAt: number | null }, now: number): boolean {
  return expiresAt !== null && expiresAt <= now;
}

function checksum(body: string): string {
  return crc32(body).toString(36).padStart(CHECKSUM_LENGTH, '0');
}

function base36(bytes: Uint8Array): string {
  return BigInt(`0x${Buffer.from(bytes).toString('hex')}`).toString(36);
}
