import { randomInt } from 'node:crypto';

const SHAPE = /^\d{1,15}-\d{4,15}$/;

export function isReferenceId(text: string): boolean {
  return SHAPE.test(text);
}

/** New references of one moment: milliseconds, a hyphen, and numbers that count up from a random eight-digit one. */
export function* referenceIds(now: number): Generator<string, never> {
  for (let number = randomInt(100_000_000); ; number++) yield `${now}-${String(number).padStart(8, '0')}`;
}

/** One reference. The store has the last word on whether it is unique. */
export function makeReferenceId(now: number): string {
  return referenceIds(now).next().value;
}
