/**
 * The index has two levels of the same shape. A run is a stretch of a list and its size. Runs are short enough to step
 * through; sections are stretches of many runs, few enough to read all of them whenever something changed.
 */
export interface Level {
  readonly number: 0 | 1;
  /** How many clients it may hold before it is cut up. */
  readonly maxSize: number;
}

export interface Levels {
  runs: Level;
  sections: Level;
}

/** Shorter runs make pages faster and imports slower (decision 8). The list of ten million has some 200 sections. */
export const LEVELS: Levels = {
  runs: { number: 0, maxSize: 256 },
  sections: { number: 1, maxSize: 65_536 },
};
