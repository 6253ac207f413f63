/** What the process that reads a spreadsheet is given. */
export interface SpreadsheetTask {
  /** The whole file. */
  bytes: Uint8Array<ArrayBuffer>;
  unpackedMaxBytes: number;
}

export interface SheetRow {
  cells: string[];
  /** What is wrong with one of its cells. */
  problem?: string | undefined;
}

/** What it answers to the task, and whenever it is asked for more. No rows: there are no more. */
export type SpreadsheetAnswer = { rows: SheetRow[] } | { problem: 'too large' | 'unreadable' };
