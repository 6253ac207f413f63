/** What the process that reads a spreadsheet is given. */
export interface SpreadsheetTask {
  /** The whole file. */
  bytes: Uint8Array<ArrayBuffer>;
  unpackedMaxBytes: number;
}

/** What it answers to the task, and whenever it is asked for more. No rows: there are no more. */
export type SpreadsheetAnswer = { rows: string[][] } | { problem: 'too large' | 'unreadable' };
