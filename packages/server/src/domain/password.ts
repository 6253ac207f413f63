import { randomInt } from 'node:crypto';
import { hash, verify } from '@node-rs/argon2';
import { Failure } from './failure.ts';

export const PASSWORD_MIN_LENGTH = 15;
export const PASSWORD_MAX_LENGTH = 256;

/** argon2id at the strength OWASP asks for at least; raising it later does not invalidate stored hashes. */
const STRENGTH = { memoryCost: 19_456, timeCost: 2, parallelism: 1 };

/** No look-alikes, so that it can be read off a screen. */
const ALPHABET = 'abcdefghjkmnpqrstuvwxyz23456789';

export function requirePassword(password: string): string {
  if (password.length < PASSWORD_MIN_LENGTH) {
    throw new Failure('bad_parameter', `password must have at least ${PASSWORD_MIN_LENGTH} characters.`);
  }
  if (password.length > PASSWORD_MAX_LENGTH) {
    throw new Failure('bad_parameter', `password must have at most ${PASSWORD_MAX_LENGTH} characters.`);
  }
  return password;
}

export function hashPassword(password: string): Promise<string> {
  return hash(password, STRENGTH);
}

export function passwordMatches(password: string, passwordHash: string): Promise<boolean> {
  return verify(passwordHash, password);
}

/** Four words' worth of letters: 20 of 31, almost a hundred bits. */
export function makePassword(): string {
  const letters = Array.from({ length: 20 }, () => ALPHABET[randomInt(ALPHABET.length)]).join('');
  return letters.replace(/(.{5})(?=.)/g, '$1-');
}
