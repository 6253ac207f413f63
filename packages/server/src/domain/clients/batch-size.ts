/** Other changes wait for a batch, and a request must not wait for longer than a tenth of a second. */
const TARGET_MS = 70;

const FIRST_ROWS = 500;
/** Fewer would hardly be faster, because every batch has a part of its own. */
const ROWS_MIN = 250;

/** How many rows of an import to apply in one transaction, adapted to how long the previous ones took. */
export class BatchSize {
  readonly #max: number;
  rows: number;

  constructor(max: number) {
    this.#max = max;
    this.rows = Math.min(FIRST_ROWS, max);
  }

  /** Learns from a batch, which may have been smaller. */
  note(rows: number, ms: number): void {
    const fitting = (rows * TARGET_MS) / Math.max(ms, 1);
    // At most twice as many, because a single fast batch says little about the next one.
    this.rows = Math.round(Math.min(this.#max, this.rows * 2, Math.max(ROWS_MIN, fitting)));
  }
}
