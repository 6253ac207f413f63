import { CELL_MAX_LENGTH, CHECK_ROWS_MAX, IMPORT_ROWS_MAX, type ImportAnswer } from '#contract/clients/clients.ts';
import {
  type Encoding,
  formatOf,
  readClients,
  rejectedRowLine,
  rejectedRowsHeader,
  type SourceRow,
} from '#contract/clients/files.ts';

/** A file, and how its text is to be read when that is not plain to see. */
export interface ChosenFile {
  file: File;
  encoding?: Encoding | undefined;
}

interface PieceLimits {
  rows: number;
  bytes: number;
}

/** Small, so that the progress bar is true and a lost connection loses little. */
const PIECE_OF_AN_IMPORT: PieceLimits = { rows: IMPORT_ROWS_MAX, bytes: 250_000 };

/** As much as the console takes at once: a check knows nothing of the pieces before it. */
const PIECE_OF_A_CHECK: PieceLimits = { rows: CHECK_ROWS_MAX, bytes: 900_000 };

export interface ImportProgress {
  rows: number;
  inserted: number;
  updated: number;
  unchanged: number;
  rejected: number;
}

export interface ImportResult extends ImportProgress {
  dryRun: boolean;
  /** In how many requests the file was sent. */
  pieces: number;
  /** The rejected rows as a file that can be mended and imported again. */
  rejects: string;
}

export type SendRows = (rows: object[]) => Promise<ImportAnswer>;

/** The first rows, to look at; throws when the header cannot be used. */
export async function previewOf(chosen: ChosenFile, count: number): Promise<SourceRow[]> {
  const rows: SourceRow[] = [];
  for await (const row of rowsOf(chosen)) {
    rows.push(row);
    if (rows.length === count) break;
  }
  return rows;
}

export async function countRows(chosen: ChosenFile): Promise<number> {
  let count = 0;
  for await (const _row of rowsOf(chosen)) count++;
  return count;
}

/** Sends a file in pieces and adds up what became of its rows. */
export async function importFile(
  chosen: ChosenFile,
  dryRun: boolean,
  send: SendRows,
  onProgress: (progress: ImportProgress) => void,
): Promise<ImportResult> {
  const counts = { rows: 0, inserted: 0, updated: 0, unchanged: 0, rejected: 0 };
  const result: ImportResult = { ...counts, dryRun, pieces: 0, rejects: rejectedRowsHeader() };
  for await (const rows of piecesOf(chosen, dryRun ? PIECE_OF_A_CHECK : PIECE_OF_AN_IMPORT)) {
    const answer = await send(rows.map(withoutRaw));
    const rowOf = new Map(rows.map((row) => [row.line, row]));
    for (const { line, reason } of answer.rejected) {
      result.rejects += rejectedRowLine({ row: rowOf.get(line) ?? { line, cells: {} }, reason });
    }
    result.pieces++;
    result.rows += rows.length;
    result.inserted += answer.inserted;
    result.updated += answer.updated;
    result.unchanged += answer.unchanged;
    result.rejected += answer.rejected.length;
    onProgress({ ...result });
  }
  return result;
}

async function* piecesOf(chosen: ChosenFile, limits: PieceLimits): AsyncGenerator<SourceRow[]> {
  let rows: SourceRow[] = [];
  let bytes = 0;
  for await (const row of rowsOf(chosen)) {
    const size = sizeOf(row);
    if (rows.length === limits.rows || (rows.length > 0 && bytes + size > limits.bytes)) {
      yield rows;
      rows = [];
      bytes = 0;
    }
    rows.push(row);
    bytes += size;
  }
  yield rows;
}

async function* rowsOf({ file, encoding }: ChosenFile): AsyncGenerator<SourceRow> {
  for await (const row of readClients(bytesOf(file), formatOf(file.name), encoding)) {
    const tooLong = Object.values(row.cells).some((cell) => cell.length > CELL_MAX_LENGTH);
    yield tooLong
      ? { line: row.line, cells: {}, unreadable: `a cell has more than ${CELL_MAX_LENGTH} characters` }
      : row;
  }
}

/** Not every browser lets a stream be walked with `for await`. */
async function* bytesOf(file: File): AsyncGenerator<Uint8Array> {
  const reader = file.stream().getReader();
  for (;;) {
    const { done, value } = await reader.read();
    if (done) return;
    yield value;
  }
}

function withoutRaw({ line, cells, unreadable }: SourceRow): object {
  return { line, cells, ...(unreadable !== undefined && { unreadable: unreadable.slice(0, 500) }) };
}

const utf8 = new TextEncoder();

/** Of the row as it is sent, with the comma behind it. */
function sizeOf(row: SourceRow): number {
  return utf8.encode(JSON.stringify(withoutRaw(row))).length + 1;
}
