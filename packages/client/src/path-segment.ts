import { InvalidRequestError } from './errors.ts';

/** Empty, or read by every URL parser as another folder, or not a whole character. */
const UNUSABLE = /^\.{0,2}$|\p{Surrogate}/u;

/** An id as one segment of a path. A variable that is not set must not become another path. */
export function pathSegment(name: string, value: string): string {
  if (typeof value === 'string' && !UNUSABLE.test(value)) return encodeURIComponent(value);
  throw new InvalidRequestError(`${name} must be a text that is not empty, "." or "..".`);
}
