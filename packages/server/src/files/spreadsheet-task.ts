/** What the thread that reads a spreadsheet is given. */
export interface SpreadsheetTask {
  /** The whole file. It is the only content of its buffer. */
  bytes: Uint8Array<ArrayBuffer>;
  unpackedMaxBytes: number;
}

/** What it sends whenever it is asked for more. No rows: there are no more. */
export type SpreadsheetAnswer = { rows: string[][] } | { problem: 'too large' | 'unreadable' };

export const ROWS_AT_ONCE = 2000;
