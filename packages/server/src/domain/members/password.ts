import { randomInt } from 'node:crypto';
import { hash, verify } from '@node-rs/argon2';

/** argon2id with the minimum strength that OWASP recommends. Stored hashes stay valid if it is raised later. */
const STRENGTH = { memoryCost: 19_456, timeCost: 2, parallelism: 1 };

/** The hash of an unknown password with the same strength, so that an unknown email takes as long as a known one. */
const DUMMY_HASH = '$argon2id$v=19$m=19456,t=2,p=1$DsmzKrovvn9567SmKZCHpA$6eMJFdk0W6ArvXq+iwblWmgq6pQxxxDo7WS0nu0l5H0';

/** Without characters that look alike, so that a password can be read from a screen. */
const ALPHABET = 'abcdefghjkmnpqrstuvwxyz23456789';

export function hashPassword(password: string): Promise<string> {
  return hash(password, STRENGTH);
}

/** Without a hash, because the email is unknown, it takes the same time and returns false. */
export async function passwordMatches(password: string, passwordHash: string | undefined): Promise<boolean> {
  const matches = await verify(passwordHash ?? DUMMY_HASH, password);
  return matches && passwordHash !== undefined;
}

/** 20 characters from an alphabet of 31, in groups of five: almost 100 bits. */
export function makePassword(): string {
  const letters = Array.from({ length: 20 }, () => ALPHABET[randomInt(ALPHABET.length)]).join('');
  return letters.replace(/(.{5})(?=.)/g, '$1-');
}
