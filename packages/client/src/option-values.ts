/** The longest time that a timer supports. With a longer one it would fire at once. */
export const MAX_TIMER_MS = 2 ** 31 - 1;

export interface Bounds {
  min: number;
  max: number;
}

/** Returns the value, or throws if it is not a time within the bounds. */
export function checkMilliseconds(
  name: string,
  value: number,
  { min, max }: Bounds = { min: 0, max: MAX_TIMER_MS },
): number {
  if (typeof value !== 'number')
    throw new TypeError(`${name} must be a number of milliseconds, not a ${kindOf(value)}.`);
  if (value >= min && value <= max) return value;
  throw new RangeError(`${name} must be ${rangeText(min, max)} milliseconds, not ${value}.`);
}

/** Returns the value, or throws if it is neither a whole number from 0 nor Infinity. */
export function checkCount(name: string, value: number): number {
  if (typeof value !== 'number') throw new TypeError(`${name} must be a number, not a ${kindOf(value)}.`);
  if (value === Number.POSITIVE_INFINITY || (Number.isInteger(value) && value >= 0)) return value;
  throw new RangeError(`${name} must be a whole number from 0, or Infinity, not ${value}.`);
}

function rangeText(min: number, max: number): string {
  return max === Number.POSITIVE_INFINITY ? `${min} or more` : `from ${min} to ${max}`;
}

/** Messages do not repeat the value, because it may be something that was passed by mistake, such as a key. */
function kindOf(value: unknown): string {
  return value === null ? 'null' : typeof value;
}
