/** The most that a timer takes: with more it would end at once. */
export const MAX_TIMER_MS = 2 ** 31 - 1;

export interface Bounds {
  min: number;
  max: number;
}

/** A time that a timer can keep. */
export function milliseconds(
  name: string,
  value: number,
  { min, max }: Bounds = { min: 0, max: MAX_TIMER_MS },
): number {
  if (typeof value !== 'number')
    throw new TypeError(`${name} must be a number of milliseconds, not a ${kindOf(value)}.`);
  if (value >= min && value <= max) return value;
  throw new RangeError(`${name} must be ${inWords(min, max)} milliseconds, not ${value}.`);
}

/** A whole number, or Infinity. */
export function count(name: string, value: number): number {
  if (typeof value !== 'number') throw new TypeError(`${name} must be a number, not a ${kindOf(value)}.`);
  if (value === Number.POSITIVE_INFINITY || (Number.isInteger(value) && value >= 0)) return value;
  throw new RangeError(`${name} must be a whole number from 0, or Infinity, not ${value}.`);
}

function inWords(min: number, max: number): string {
  return max === Number.POSITIVE_INFINITY ? `${min} or more` : `from ${min} to ${max}`;
}

/** The value itself is not repeated: it may be something that was given by mistake, such as a key. */
function kindOf(value: unknown): string {
  return value === null ? 'null' : typeof value;
}
