interface Bounds {
  /** How long so many rows should take. */
  targetMs: number;
  first: number;
  min: number;
  max: number;
}

/**
 * The part of a transaction that is applied at once. Whether other changes wait is asked after each part, and a request must
 * not wait for longer than a tenth of a second. Fewer rows would hardly be faster, because every part has costs of its own,
 * and rows that change nothing take little time, while the ones after them might take far longer.
 */
export const PART: Bounds = { targetMs: 25, first: 250, min: 100, max: 1000 };

/**
 * What is committed together. At the end, the counted index is updated for all rows, and whoever begins to wait then has to
 * wait for all of that. It takes long for rows that are in other places of their lists.
 */
export const TRANSACTION: Bounds = { targetMs: 35, first: 1000, min: 100, max: 4000 };

/** How many rows of an import to work on at once, adapted to how long the previous ones took. */
export class BatchSize {
  readonly #bounds: Bounds;
  rows: number;

  /** With an engine that takes fewer rows at once than the bounds allow. */
  constructor(bounds: Bounds, engineMax: number) {
    this.#bounds = { ...bounds, max: Math.min(bounds.max, engineMax) };
    this.rows = Math.min(bounds.first, engineMax);
  }

  /** Learns from rows, of which there may have been fewer. */
  note(rows: number, ms: number): void {
    const { targetMs, min, max } = this.#bounds;
    // Most of the time of a few rows at the end of a file does not depend on how many they are.
    if (rows < this.rows / 2 && ms <= targetMs) return;
    const fitting = (rows * targetMs) / Math.max(ms, 1);
    // At most twice as many, because a single fast part says little about the next one.
    this.rows = Math.round(Math.min(max, this.rows * 2, Math.max(min, fitting)));
  }

  /** So many were too many. */
  halve(): void {
    const { min, max } = this.#bounds;
    this.rows = Math.min(max, Math.max(min, Math.round(this.rows / 2)));
  }
}
