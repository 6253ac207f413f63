import { on } from 'node:events';
import { Worker } from 'node:worker_threads';
import type { SourceRow } from '../domain/clients/parse-row.ts';
import { Failure } from '../domain/failure.ts';
import { badFile, type ColumnNames, readHeader } from './columns.ts';
import { excerpt } from './excerpt.ts';
import type { SpreadsheetAnswer, SpreadsheetTask } from './spreadsheet-task.ts';

/** A spreadsheet is held in memory as a whole, which takes about ten times as much as it has bytes when it is unpacked. */
const MAX_BYTES = 32 * 1024 * 1024;
const UNPACKED_MAX_BYTES = 32 * 1024 * 1024;
const HEAP_MAX_MB = 192;

/** Reads the rows of the first sheet of an Excel file (`.xlsx`). Its first row is the header. */
export async function* readSpreadsheet(
  source: AsyncIterable<Uint8Array>,
  names: ColumnNames,
): AsyncGenerator<SourceRow> {
  let columns: ReturnType<typeof readHeader> | undefined;
  let line = 0;
  for await (const cells of oneAfterTheOther(() => sheetRows(source))) {
    line++;
    if (cells.every((cell) => cell.trim() === '')) continue;
    if (columns) yield toRow(line, cells, columns);
    else columns = readHeader(withoutEmptyEnd(cells), names);
  }
  if (!columns) throw badFile('the sheet is empty; it must begin with a header');
}

async function collect(source: AsyncIterable<Uint8Array>): Promise<Uint8Array<ArrayBuffer>> {
  const chunks: Uint8Array[] = [];
  let size = 0;
  for await (const chunk of source) {
    size += chunk.length;
    if (size > MAX_BYTES) throw tooLarge();
    chunks.push(chunk);
  }
  const bytes = new Uint8Array(size);
  let start = 0;
  for (const chunk of chunks) {
    bytes.set(chunk, start);
    start += chunk.length;
  }
  return bytes;
}

let last: Promise<void> = Promise.resolve();

/** The memory of a process is enough for one spreadsheet at a time. */
async function* oneAfterTheOther<T>(read: () => AsyncGenerator<T>): AsyncGenerator<T> {
  const { promise, resolve } = Promise.withResolvers<void>();
  const before = last;
  last = promise;
  await before;
  try {
    yield* read();
  } finally {
    resolve();
  }
}

/** The rows, as a thread of its own reads them. It ends with the loop over them, however that ends. */
async function* sheetRows(source: AsyncIterable<Uint8Array>): AsyncGenerator<string[]> {
  const bytes = await collect(source);
  const worker = new Worker(workerFile(), {
    workerData: { bytes, unpackedMaxBytes: UNPACKED_MAX_BYTES } satisfies SpreadsheetTask,
    transferList: [bytes.buffer],
    resourceLimits: { maxOldGenerationSizeMb: HEAP_MAX_MB },
    execArgv: [],
  });
  try {
    for await (const [message] of on(worker, 'message', { close: ['exit'] })) {
      const answer = message as SpreadsheetAnswer;
      if ('problem' in answer) throw answer.problem === 'too large' ? tooLarge() : unreadable();
      if (answer.rows.length === 0) return;
      yield* answer.rows;
      worker.postMessage('more');
    }
    throw unreadable();
  } catch (error) {
    throw (error as NodeJS.ErrnoException).code === 'ERR_WORKER_OUT_OF_MEMORY' ? tooLarge() : error;
  } finally {
    await worker.terminate();
  }
}

/** Beside this file, in the sources as in the built program. */
function workerFile(): URL {
  return new URL(
    import.meta.url.endsWith('.ts') ? './spreadsheet-worker.ts' : './spreadsheet-worker.js',
    import.meta.url,
  );
}

/** Columns without a name at the end of the header are left over from formatting. */
function withoutEmptyEnd(cells: string[]): string[] {
  return cells.slice(0, cells.findLastIndex((cell) => cell.trim() !== '') + 1);
}

function toRow(line: number, cells: string[], columns: ReturnType<typeof readHeader>): SourceRow {
  const length = cells.reduce((sum, cell) => sum + cell.length, 0);
  const extra = cells.findIndex((cell, index) => index >= columns.length && cell.trim() !== '');
  if (extra !== -1) {
    const unreadable = `the row has ${extra + 1} cells, but the header has ${columns.length}`;
    return { line, cells: {}, unreadable, raw: excerpt(cells.join(',')), length };
  }
  const row: SourceRow = { line, cells: {}, length };
  for (const [index, column] of columns.entries()) {
    const cell = cells[index];
    if (column && cell) row.cells[column] = cell;
  }
  return row;
}

function tooLarge(): Failure {
  return new Failure('bad_parameter', 'The spreadsheet is too large. Save it as CSV, which may have any size.');
}

function unreadable(): Failure {
  return new Failure('bad_parameter', 'The file is not an Excel workbook (.xlsx), or it is damaged.');
}
