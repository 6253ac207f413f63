import { setTimeout as sleep } from 'node:timers/promises';

/** A rest after each slice, twice as long as one on SQLite takes: most of the time is for those who ask for pages. */
const REST_MS = 8;

const FIRST = 1000;
const LEAST = 250;
/** What a slice finds is held in memory until it is passed on. */
const MOST = 10_000;

/** How many rows to read in one statement so that it takes about as long as it should, going by the last one. */
export class SliceSize {
  readonly #targetMs: number;
  rows = FIRST;

  constructor(targetMs: number) {
    this.#targetMs = targetMs;
  }

  async measured<T>(read: (rows: number) => Promise<T>): Promise<T> {
    const began = performance.now();
    const result = await read(this.rows);
    const factor = this.#targetMs / Math.max(performance.now() - began, 0.1);
    // Twice as many at most: one slice that was quick, or slow for a reason of its own, says little about the next.
    const rows = Math.round(this.rows * Math.min(2, Math.max(0.25, factor)));
    this.rows = Math.min(MOST, Math.max(LEAST, rows));
    return result;
  }
}

export function restBetweenSlices(): Promise<void> {
  return sleep(REST_MS);
}
