import { randomInt } from 'node:crypto';

const SHAPE = /^\d{1,15}-\d{4,15}$/;

/** So many that two clients of one millisecond, in whatever workspace of the installation, practically never meet. */
const DIGITS = 12;

export function isReferenceId(text: string): boolean {
  return SHAPE.test(text);
}

/** Milliseconds, a hyphen and a number, always of the same length: references of one moment sort by their number. */
export function referenceIdOf(time: number, number: number): string {
  return `${time}-${String(number).padStart(DIGITS, '0')}`;
}

/** The first of `count` numbers that follow each other, at random. The store has the last word on whether they are free. */
export function drawNumbers(count: number): number {
  return randomInt(10 ** DIGITS - count);
}
