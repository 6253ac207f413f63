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

/**
 * Measured at ten million clients: stepping through half a run of 512 takes some 10 microseconds, and the whole list has
 * some 220 sections of at most 65,536.
 */
export const LEVELS: Levels = {
  runs: { number: 0, maxSize: 512 },
  sections: { number: 1, maxSize: 65_536 },
};
