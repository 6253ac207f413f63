import { randomInt } from 'node:crypto';
import { hash, verify } from '@node-rs/argon2';

/** argon2id at the strength OWASP asks for at least; raising it later does not invalidate stored hashes. */
const STRENGTH = { memoryCost: 19_456, timeCost: 2, parallelism: 1 };

/** The hash of a password that nobody has, of the same strength: an unknown email costs the same time as a known one. */
const NOBODYS_HASH =
  '$argon2id$v=19$m=19456,t=2,p=1$DsmzKrovvn9567SmKZCHpA$6eMJFdk0W6ArvXq+iwblWmgq6pQxxxDo7WS0nu0l5H0';

/** No look-alikes, so that it can be read off a screen. */
const ALPHABET = 'abcdefghjkmnpqrstuvwxyz23456789';

export function hashPassword(password: string): Promise<string> {
  return hash(password, STRENGTH);
}

/** Without a hash (nobody has that email) it takes as long, and the answer is no. */
export async function passwordMatches(password: string, passwordHash: string | undefined): Promise<boolean> {
  const matches = await verify(passwordHash ?? NOBODYS_HASH, password);
  return matches && passwordHash !== undefined;
}

/** Four words' worth of letters: 20 of 31, almost a hundred bits. */
export function makePassword(): string {
  const letters = Array.from({ length: 20 }, () => ALPHABET[randomInt(ALPHABET.length)]).join('');
  return letters.replace(/(.{5})(?=.)/g, '$1-');
}
