import type { Position } from './combination.ts';

/** A part of the list of one filter combination, from its first position to the start of the next run. */
export interface Run extends Position {
  size: number;
}

/**
 * The index has two levels of the same shape. Runs are so short that a page is found by skipping rows within one. Sections
 * consist of many runs, and are so few that all of them can be read whenever something has changed.
 */
export interface IndexLevel {
  readonly number: 0 | 1;
  /** The maximum number of clients of a run or section before it is split. */
  readonly maxSize: number;
}

export interface IndexLevels {
  runs: IndexLevel;
  sections: IndexLevel;
}

/** Shorter runs make pages faster and imports slower (decision 8). A list of ten million clients has about 200 sections. */
export const INDEX_LEVELS: IndexLevels = {
  runs: { number: 0, maxSize: 256 },
  sections: { number: 1, maxSize: 65_536 },
};
