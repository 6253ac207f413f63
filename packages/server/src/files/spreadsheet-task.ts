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

/** The sheet of a workbook that is read, which is the first one. */
export interface ReadSheet {
  name: string;
  /** How many more the workbook has, which are not read. */
  others: number;
}

export interface SheetPart {
  rows: SheetRow[];
  /** How many rows of the whole sheet are not empty, with the header. */
  filled: number;
  sheet: ReadSheet;
}

/** What it answers to the task, and whenever it is asked for more. No rows: there are no more. */
export type SpreadsheetAnswer = SheetPart | { problem: 'too large' | 'unreadable' };
