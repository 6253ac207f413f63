import { randomInt } from 'node:crypto';

export const REFERENCE_ID_PATTERN = '^\\d{1,15}-\\d{4,15}$';
const SHAPE = new RegExp(REFERENCE_ID_PATTERN);

/** Enough digits that two clients created in the same millisecond practically never get the same reference. */
const DIGITS = 12;

export function isReferenceId(text: string): boolean {
  return SHAPE.test(text);
}

/** Milliseconds, a hyphen and a number of fixed length, so that references of the same time sort by their number. */
export function formatReferenceId(time: number, number: number): string {
  return `${time}-${String(number).padStart(DIGITS, '0')}`;
}

/** A random start for `count` consecutive numbers. The store checks that they are unused. */
export function randomRangeStart(count: number): number {
  return randomInt(10 ** DIGITS - count);
}
