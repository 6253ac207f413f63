import { setImmediate as nextTurn, setTimeout as sleep } from 'node:timers/promises';

/** Twice as long as a slice takes on SQLite, so that most of the time is left for requests for pages. */
const PAUSE_MS = 8;

const INITIAL_ROWS = 1000;
const ROWS_MIN = 250;
/** The rows of a slice are kept in memory until they are passed on. */
const ROWS_MAX = 10_000;

/** How many rows to read in one statement, adapted to the duration of the previous one so that it takes about the target time. */
export class AdaptiveSliceSize {
  readonly #targetMs: number;
  readonly #rowsMax: number;
  rows = INITIAL_ROWS;

  constructor(targetMs: number, rowsMax = ROWS_MAX) {
    this.#targetMs = targetMs;
    this.#rowsMax = rowsMax;
  }

  async measure<T>(read: (rows: number) => Promise<T>): Promise<T> {
    const began = performance.now();
    const result = await read(this.rows);
    const factor = this.#targetMs / Math.max(performance.now() - began, 0.1);
    // At most twice as many, because a single fast or slow slice says little about the next one.
    const rows = Math.round(this.rows * Math.min(2, Math.max(0.25, factor)));
    this.rows = Math.min(this.#rowsMax, Math.max(ROWS_MIN, rows));
    return result;
  }
}

/** Without a pause, others are still let in between. */
export function pauseBetweenSlices(pauseMs = PAUSE_MS): Promise<void> {
  return pauseMs === 0 ? nextTurn() : sleep(pauseMs);
}

/** So many slices take about a tenth of a second on SQLite. */
const SLICES_WITHOUT_PAUSE = 20;

/** For reads that are usually short: others are only let in between the first slices, and further slices have pauses. */
export class SlicePauses {
  readonly #pauseMs: number;
  #slices = 0;

  constructor(pauseMs = PAUSE_MS) {
    this.#pauseMs = pauseMs;
  }

  afterSlice(): Promise<void> {
    return pauseBetweenSlices(++this.#slices <= SLICES_WITHOUT_PAUSE ? 0 : this.#pauseMs);
  }
}
