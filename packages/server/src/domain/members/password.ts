import { createHmac, randomBytes, randomInt, timingSafeEqual } from 'node:crypto';
import { hash, parseOptions } from '@node-rs/argon2';

/** argon2id with the minimum strength that OWASP recommends. Stored hashes stay valid if it is raised later. */
const STRENGTH = { memoryCost: 19_456, timeCost: 2, parallelism: 1 };

/** The hash of an unknown password with the same strength, so that an unknown email takes as long as a known one. */
const DUMMY_HASH = '$argon2id$v=19$m=19456,t=2,p=1$DsmzKrovvn9567SmKZCHpA$6eMJFdk0W6ArvXq+iwblWmgq6pQxxxDo7WS0nu0l5H0';

/** Without characters that look alike, so that a password can be read from a screen. */
const ALPHABET = 'abcdefghjkmnpqrstuvwxyz23456789';

export function hashPassword(password: string, salt?: Uint8Array): Promise<string> {
  return hash(password, salt === undefined ? STRENGTH : { ...STRENGTH, salt });
}

export function newSaltKey(): string {
  return randomBytes(16).toString('hex');
}

/** The same for all passwords of an email, and known to nobody who does not have the database. */
export function saltFor(saltKey: string, emailFolded: string): Uint8Array {
  return createHmac('sha256', saltKey).update(emailFolded).digest().subarray(0, 16);
}

/**
 * Those of the hashes that are of this password. Without any, because the email is unknown, it takes the same time.
 */
export async function matchingHashes(password: string, hashes: readonly string[]): Promise<Set<string>> {
  const matching = new Set<string>();
  const known = hashes.length === 0 ? [DUMMY_HASH] : hashes;
  for (const [, alike] of Map.groupBy(known, settingsOf)) {
    const expected = await hashLike(password, alike[0] ?? DUMMY_HASH);
    for (const each of alike) if (isSame(each, expected)) matching.add(each);
  }
  if (hashes.length === 0) matching.clear();
  return matching;
}

/** Everything but the hash itself: the strength and the salt. */
function settingsOf(passwordHash: string): string {
  return passwordHash.slice(0, passwordHash.lastIndexOf('$'));
}

function hashLike(password: string, passwordHash: string): Promise<string> {
  const { memoryCost, timeCost, parallelism, outputLen } = parseOptions(passwordHash);
  return hash(password, { memoryCost, timeCost, parallelism, outputLen, salt: saltOf(passwordHash) });
}

export function saltOf(passwordHash: string): Uint8Array {
  return Buffer.from(passwordHash.split('$').at(-2) ?? '', 'base64');
}

function isSame(a: string, b: string): boolean {
  return a.length === b.length && timingSafeEqual(Buffer.from(a), Buffer.from(b));
}

/** 20 characters from an alphabet of 31, in groups of five: almost 100 bits. */
export function makePassword(): string {
  const letters = Array.from({ length: 20 }, () => ALPHABET[randomInt(ALPHABET.length)]).join('');
  return letters.replace(/(.{5})(?=.)/g, '$1-');
}
