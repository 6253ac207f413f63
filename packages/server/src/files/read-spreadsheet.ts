import { type ChildProcess, fork } from 'node:child_process';
import type { SourceRow } from '../domain/clients/parse-row.ts';
import { Failure } from '../domain/failure.ts';
import { ColumnValues } from './column-values.ts';
import { badFile, type ColumnNames, readHeader } from './columns.ts';
import { excerpt } from './excerpt.ts';
import {
  ColumnDates,
  type FilePreview,
  PREVIEW_ROWS,
  type PreviewRow,
  toColumns,
  toPreviewRow,
} from './preview-file.ts';
import type { ReadSheet, SheetPart, SheetRow, SpreadsheetAnswer, SpreadsheetTask } from './spreadsheet-task.ts';

/** A spreadsheet is held in memory as a whole, which takes about ten times as much as it has bytes when it is unpacked. */
export const MAX_BYTES = 32 * 1024 * 1024;
const UNPACKED_MAX_BYTES = 32 * 1024 * 1024;
const HEAP_MAX_MB = 192;

const NO_ROW = 'the sheet is empty; it must begin with a header';

/** Reading the largest one takes a few seconds. */
const ANSWER_MAX_MS = 30_000;

type Bytes = AsyncIterable<Uint8Array> | Iterable<Uint8Array>;

/** Reads the rows of the first sheet of an Excel file (`.xlsx`). Its first row is the header. It stops when the signal is aborted. */
export async function* readSpreadsheet(
  source: AsyncIterable<Uint8Array>,
  names: ColumnNames,
  signal?: AbortSignal,
): AsyncGenerator<SourceRow> {
  let columns: ReturnType<typeof readHeader> | undefined;
  for await (const record of oneAfterTheOther(() => sheetRecords(source, signal), signal)) {
    if (columns) yield toRow(record, columns);
    else if (record.problem) throw badFile(record.problem, record.line);
    else columns = readHeader(withoutEmptyEnd(record.cells), names, record.line);
  }
  if (!columns) throw badFile(NO_ROW);
}

/** The header and the first rows of the first sheet, and what its columns contain. Who calls it limits how many sheets are read at the same time. */
export async function previewSpreadsheet(source: Bytes, signal?: AbortSignal): Promise<FilePreview> {
  let columns: string[] | undefined;
  const rows: PreviewRow[] = [];
  const [dates, values] = [new ColumnDates(), new ColumnValues()];
  let total = 0;
  let read: ReadSheet | undefined;
  for await (const { line, cells, problem, filled, sheet } of sheetRecords(source, signal)) {
    if (columns) {
      const own = cells.slice(0, columns.length);
      const shown = own.map(shownTime);
      if (rows.length < PREVIEW_ROWS) rows.push(toPreviewRow(line, shown, problemWith(cells, problem, columns)));
      dates.see(shown);
      values.see(own);
    } else if (problem) throw badFile(problem, line);
    else columns = toColumns(withoutEmptyEnd(cells), line);
    total = filled - 1;
    read = sheet;
  }
  if (!columns) throw badFile(NO_ROW);
  const found = { ...dates.found(columns.length), values: values.found(columns.length) };
  return { columns, rows, total, ...found, ...(read && { sheet: read }) };
}

/** A time of a cell as people write it: without its midnight, seconds and milliseconds, if it has none. */
function shownTime(cell: string): string {
  const [, day, time = ''] = /^(\d{4}-\d{2}-\d{2})T(\d{2}:\d{2}:\d{2}\.\d{3})$/.exec(cell) ?? [];
  if (!day) return cell;
  const short = time.replace(/\.000$/, '').replace(/^(\d{2}:\d{2}):00$/, '$1');
  return short === '00:00' ? day : `${day} ${short}`;
}

interface SheetRecord extends SheetRow, Omit<SheetPart, 'rows'> {
  line: number;
  /** Its number among those that are not empty. */
  number: number;
}

/** The rows of the first sheet that are not empty, the header first. */
async function* sheetRecords(source: Bytes, signal: AbortSignal | undefined): AsyncGenerator<SheetRecord> {
  let [line, number] = [0, 0];
  for await (const { rows, ...part } of sheetParts(source, signal)) {
    for (const row of rows) {
      line++;
      if (!row.problem && row.cells.every((cell) => cell.trim() === '')) continue;
      yield { ...row, ...part, line, number: ++number };
    }
  }
}

async function collect(source: Bytes): Promise<Uint8Array<ArrayBuffer>> {
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

/** The memory of a machine is enough for one spreadsheet of each process of the service at a time. */
async function* oneAfterTheOther<T>(read: () => AsyncGenerator<T>, signal: AbortSignal | undefined): AsyncGenerator<T> {
  const { promise, resolve } = Promise.withResolvers<void>();
  const before = last;
  last = promise;
  try {
    await orAborted(before, signal);
    yield* read();
  } finally {
    // Only after those before: this one may have been aborted while it waited.
    void before.then(resolve);
  }
}

/** The rows, some at a time, as a process of its own reads them. It ends with the loop over them, however that ends. */
async function* sheetParts(source: Bytes, signal: AbortSignal | undefined): AsyncGenerator<SheetPart> {
  const bytes = await collect(source);
  const reader = fork(readerFile(), [], {
    execArgv: [`--max-old-space-size=${HEAP_MAX_MB}`],
    env: {},
    serialization: 'advanced',
    stdio: ['ignore', 'ignore', 'ignore', 'ipc'],
  });
  // Without a listener, an error between two answers would end the service.
  reader.on('error', () => {});
  try {
    const task: SpreadsheetTask = { bytes, unpackedMaxBytes: UNPACKED_MAX_BYTES };
    for (let sent: SpreadsheetTask | 'more' = task; ; sent = 'more') {
      const answer = await orAborted(answerTo(reader, sent), signal);
      if ('problem' in answer) throw answer.problem === 'too large' ? tooLarge() : unreadable();
      if (answer.rows.length === 0) return;
      yield answer;
    }
  } finally {
    reader.kill('SIGKILL');
  }
}

/** A process that ends, or takes too long, has met a sheet that is too large for it. */
function answerTo(reader: ChildProcess, sent: SpreadsheetTask | 'more'): Promise<SpreadsheetAnswer> {
  const { promise, resolve, reject } = Promise.withResolvers<SpreadsheetAnswer>();
  const giveUp = () => reject(tooLarge());
  const timer = setTimeout(giveUp, ANSWER_MAX_MS);
  reader.once('message', resolve).once('exit', giveUp).once('error', giveUp);
  if (reader.exitCode !== null || reader.signalCode !== null) giveUp();
  else reader.send(sent, (error) => error && giveUp());
  return promise.finally(() => {
    clearTimeout(timer);
    reader.off('message', resolve).off('exit', giveUp).off('error', giveUp);
  });
}

async function orAborted<T>(promise: Promise<T>, signal: AbortSignal | undefined): Promise<T> {
  if (!signal) return promise;
  // Nobody waits for it any more after an abort, and it may still fail.
  promise.catch(() => {});
  signal.throwIfAborted();
  const { promise: aborted, reject } = Promise.withResolvers<never>();
  const onAbort = () => reject(signal.reason);
  signal.addEventListener('abort', onAbort);
  try {
    return await Promise.race([promise, aborted]);
  } finally {
    signal.removeEventListener('abort', onAbort);
  }
}

/** Beside this file, in the sources as in the built program. */
function readerFile(): URL {
  return new URL(`./spreadsheet-reader.${import.meta.url.endsWith('.ts') ? 'ts' : 'js'}`, import.meta.url);
}

/** Columns without a name at the end of the header are left over from formatting. */
function withoutEmptyEnd(cells: string[]): string[] {
  return cells.slice(0, cells.findLastIndex((cell) => cell.trim() !== '') + 1);
}

function toRow(
  { line, cells, problem, number, filled }: SheetRecord,
  columns: ReturnType<typeof readHeader>,
): SourceRow {
  const length = cells.reduce((sum, cell) => sum + cell.length, 0);
  const share = number / filled;
  const unreadable = problemWith(cells, problem, columns);
  if (unreadable) return { line, cells: {}, unreadable, raw: excerpt(cells.join(',')), length, share };
  const row: SourceRow = { line, cells: {}, length, share };
  for (const [index, column] of columns.entries()) {
    const cell = cells[index];
    if (column && cell) row.cells[column] = cell;
  }
  return row;
}

function problemWith(
  cells: readonly string[],
  problem: string | undefined,
  columns: readonly unknown[],
): string | undefined {
  const extra = cells.findIndex((cell, index) => index >= columns.length && cell.trim() !== '');
  return extra === -1 ? problem : `the row has ${extra + 1} cells, but the header has ${columns.length}`;
}

function tooLarge(): Failure {
  return new Failure('bad_parameter', 'The spreadsheet is too large. Save it as CSV, which may have any size.');
}

function unreadable(): Failure {
  return new Failure('bad_parameter', 'The file is not an Excel workbook (.xlsx), or it is damaged.');
}
