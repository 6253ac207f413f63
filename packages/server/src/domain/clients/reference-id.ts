import { randomInt } from 'node:crypto';

/** Enough digits that two clients created in the same millisecond practically never get the same reference. */
const DIGITS = 12;

/** Milliseconds, a hyphen and a number of fixed length, so that references of the same time sort by their number. */
export function formatReferenceId(time: number, number: number): string {
  return `${time}-${String(number).padStart(DIGITS, '0')}`;
}

/** A random start for `count` consecutive numbers. The store checks that they are unused. */
export function randomRangeStart(count: number): number {
  return randomInt(10 ** DIGITS - count);
}
