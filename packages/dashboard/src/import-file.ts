import { CELL_MAX_LENGTH, IMPORT_ROWS_MAX, type ImportAnswer } from '#contract/clients.ts';
import { formatOf, readClients, rejectLine, rejectsHead, type SourceRow } from '#contract/files.ts';

/** Well below the largest body that the console takes. */
const BATCH_MAX_CHARACTERS = 250_000;

export interface ImportProgress {
  rows: number;
  inserted: number;
  updated: number;
  unchanged: number;
  rejected: number;
}

export interface ImportResult extends ImportProgress {
  /** The rejected rows as a file that can be mended and imported again. */
  rejects: string;
}

export type SendRows = (rows: object[]) => Promise<ImportAnswer>;

/** The first rows, to look at; throws when the header cannot be used. */
export async function previewOf(file: File, count: number): Promise<SourceRow[]> {
  const rows: SourceRow[] = [];
  for await (const row of rowsOf(file)) {
    rows.push(row);
    if (rows.length === count) break;
  }
  return rows;
}

export async function countRows(file: File): Promise<number> {
  let count = 0;
  for await (const _row of rowsOf(file)) count++;
  return count;
}

/** Sends a file in pieces and adds up what became of its rows. */
export async function importFile(
  file: File,
  send: SendRows,
  onProgress: (progress: ImportProgress) => void,
): Promise<ImportResult> {
  const result: ImportResult = { rows: 0, inserted: 0, updated: 0, unchanged: 0, rejected: 0, rejects: rejectsHead() };
  const take = async (batch: SourceRow[]) => {
    const answer = await send(batch.map(withoutRaw));
    const rowOf = new Map(batch.map((row) => [row.line, row]));
    for (const { line, reason } of answer.rejected) {
      result.rejects += rejectLine({ row: rowOf.get(line) ?? { line, cells: {} }, reason });
    }
    result.rows += batch.length;
    result.inserted += answer.inserted;
    result.updated += answer.updated;
    result.unchanged += answer.unchanged;
    result.rejected += answer.rejected.length;
    onProgress({ ...result });
  };

  let batch: SourceRow[] = [];
  let characters = 0;
  for await (const row of rowsOf(file)) {
    const size = sizeOf(row);
    if (batch.length === IMPORT_ROWS_MAX || (batch.length > 0 && characters + size > BATCH_MAX_CHARACTERS)) {
      await take(batch);
      batch = [];
      characters = 0;
    }
    batch.push(row);
    characters += size;
  }
  await take(batch);
  return result;
}

async function* rowsOf(file: File): AsyncGenerator<SourceRow> {
  for await (const row of readClients(bytesOf(file), formatOf(file.name))) {
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

function sizeOf(row: SourceRow): number {
  return Object.values(row.cells).reduce((sum, cell) => sum + cell.length, 60);
}
