import { CELL_MAX_LENGTH, CHECK_ROWS_MAX, IMPORT_ROWS_MAX, type ImportAnswer } from '#contract/clients/clients.ts';
import {
  type Encoding,
  formatOf,
  readClients,
  rejectedRowLine,
  rejectedRowsHeader,
  type SourceRow,
} from '#contract/clients/files.ts';

/** A file, with its encoding when that cannot be detected. */
export interface ChosenFile {
  file: File;
  encoding?: Encoding | undefined;
}

interface ChunkLimits {
  rows: number;
  bytes: number;
}

/** Small, so that the progress bar is accurate and little has to be repeated when the connection is lost. */
const IMPORT_CHUNK: ChunkLimits = { rows: IMPORT_ROWS_MAX, bytes: 250_000 };

/** As much as the console accepts at once, because a check does not know the chunks before it. */
const CHECK_CHUNK: ChunkLimits = { rows: CHECK_ROWS_MAX, bytes: 900_000 };

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
  chunks: number;
  /** The rejected rows as a CSV file that can be corrected and imported again. */
  rejects: string;
  firstRejected: RejectedLine[];
}

export interface RejectedLine {
  line: number;
  reason: string;
}

/** As many as the command line shows. */
const REJECTED_SHOWN = 20;

export type SendRows = (rows: object[]) => Promise<ImportAnswer>;

/** Reads the first rows. Throws an error when the file or its header cannot be used. */
export async function readPreview(chosen: ChosenFile, count: number): Promise<SourceRow[]> {
  const rows: SourceRow[] = [];
  for await (const row of readRows(chosen)) {
    rows.push(row);
    if (rows.length === count) break;
  }
  return rows;
}

export async function countRows(chosen: ChosenFile): Promise<number> {
  let count = 0;
  for await (const _row of readRows(chosen)) count++;
  return count;
}

/** Sends a file in chunks and adds up the results. */
export async function importFile(
  chosen: ChosenFile,
  dryRun: boolean,
  send: SendRows,
  onProgress: (progress: ImportProgress) => void,
): Promise<ImportResult> {
  const counts = { rows: 0, inserted: 0, updated: 0, unchanged: 0, rejected: 0 };
  const result: ImportResult = { ...counts, dryRun, chunks: 0, rejects: rejectedRowsHeader(), firstRejected: [] };
  for await (const rows of readChunks(chosen, dryRun ? CHECK_CHUNK : IMPORT_CHUNK)) {
    const answer = await send(rows.map(requestRow));
    const rowOf = new Map(rows.map((row) => [row.line, row]));
    for (const { line, reason } of answer.rejected) {
      result.rejects += rejectedRowLine({ row: rowOf.get(line) ?? { line, cells: {} }, reason });
      if (result.firstRejected.length < REJECTED_SHOWN) result.firstRejected.push({ line, reason });
    }
    result.chunks++;
    result.rows += rows.length;
    result.inserted += answer.inserted;
    result.updated += answer.updated;
    result.unchanged += answer.unchanged;
    result.rejected += answer.rejected.length;
    onProgress({ ...result });
  }
  return result;
}

async function* readChunks(chosen: ChosenFile, limits: ChunkLimits): AsyncGenerator<SourceRow[]> {
  let rows: SourceRow[] = [];
  let bytes = 0;
  for await (const row of readRows(chosen)) {
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

async function* readRows({ file, encoding }: ChosenFile): AsyncGenerator<SourceRow> {
  for await (const row of readClients(readBytes(file), formatOf(file.name), encoding)) {
    const tooLong = Object.values(row.cells).some((cell) => cell.length > CELL_MAX_LENGTH);
    yield tooLong
      ? { line: row.line, cells: {}, unreadable: `a cell has more than ${CELL_MAX_LENGTH} characters` }
      : row;
  }
}

/** Not every browser can iterate over a stream with `for await`. */
async function* readBytes(file: File): AsyncGenerator<Uint8Array> {
  const reader = file.stream().getReader();
  for (;;) {
    const { done, value } = await reader.read();
    if (done) return;
    yield value;
  }
}

/** The parts of a row that are sent to the console. */
function requestRow({ line, cells, unreadable }: SourceRow): object {
  return { line, cells, ...(unreadable !== undefined && { unreadable: unreadable.slice(0, 500) }) };
}

const utf8 = new TextEncoder();

/** The bytes of the row in the request, with the comma after it. */
function sizeOf(row: SourceRow): number {
  return utf8.encode(JSON.stringify(requestRow(row))).length + 1;
}
