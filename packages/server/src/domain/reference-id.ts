import { randomInt } from 'node:crypto';

const SHAPE = /^\d{1,15}-\d{4,15}$/;

export function isReferenceId(text: string): boolean {
  return SHAPE.test(text);
}

/**
 * Milliseconds, a hyphen, eight random digits: readable over the phone, and two clients of the same millisecond are told
 * apart. The store has the last word on uniqueness.
 */
export function makeReferenceId(now: number): string {
  return `${now}-${String(randomInt(100_000_000)).padStart(8, '0')}`;
}
