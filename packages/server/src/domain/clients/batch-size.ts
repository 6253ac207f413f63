/** Whether other changes wait is asked after each part, and a request must not wait for longer than a tenth of a second. */
const TARGET_MS = 25;

const FIRST_ROWS = 250;
/** Fewer would hardly be faster, because every part has costs of its own. */
const ROWS_MIN = 100;
/** Rows that change nothing take little time, and the ones after them might take far longer. */
const ROWS_MAX = 1000;

/** How many rows of an import to apply at once, adapted to how long the previous ones took. */
export class BatchSize {
  readonly #max: number;
  rows: number;

  constructor(max: number) {
    this.#max = Math.min(ROWS_MAX, max);
    this.rows = Math.min(FIRST_ROWS, max);
  }

  /** Learns from rows, of which there may have been fewer. */
  note(rows: number, ms: number): void {
    const fitting = (rows * TARGET_MS) / Math.max(ms, 1);
    // At most twice as many, because a single fast part says little about the next one.
    this.rows = Math.round(Math.min(this.#max, this.rows * 2, Math.max(ROWS_MIN, fitting)));
  }
}
