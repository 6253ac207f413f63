import type { Position } from './combination.ts';

/** A stretch of one combination's list, from its first place to the beginning of the next one. */
export interface Run extends Position {
  size: number;
}
