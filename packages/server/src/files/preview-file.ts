import type { Fields, FilledColumns } from '../domain/clients/client-columns.ts';
import { type DateForm, DateFormFinder } from '../domain/clients/date-form.ts';
import { type SourceRow, withFilled } from '../domain/clients/parse-row.ts';
import { Failure } from '../domain/failure.ts';
import { ColumnValues } from './column-values.ts';
import { badFile, hasEmail, NO_HEADER } from './columns.ts';
import { decode, type Encoding } from './decode.ts';
import { unescapeFormula } from './formula.ts';
import type { Format } from './read-clients.ts';
import { csvRecords, NO_RECORD, problemWithCount } from './read-csv.ts';
import { NO_LINE, parseLine, readLines } from './read-ndjson.ts';

/** The beginning of a file as it is, before anybody has said which of its columns is what. */
export interface FilePreview {
  /** The names of its columns. */
  columns: string[];
  /** The first rows. */
  rows: PreviewRow[];
  /** How many rows it has. */
  total: number;
  /** For each column, the form of its dates, or null if a person has to choose it. */
  dates: (DateForm | null)[];
  /** For each column, two of its dates if they are written in different ways. */
  mixed_dates: (string[] | null)[];
  /** For each column, its different values, or null if they are many or long. */
  values: (string[] | null)[];
  /** The sheet of a workbook that is read, with the number of the others. */
  sheet?: { name: string; others: number };
}

export interface PreviewRow {
  line: number;
  /** One for each column; none if the row cannot be read. */
  cells: string[];
  /** Why it cannot be read. */
  problem?: string;
}

export const PREVIEW_ROWS = 5;

/** More than anybody would choose fields for. */
export const COLUMNS_MAX = 200;

/** Enough to recognise what a column is. */
const CELL_MAX_LENGTH = 200;

/** Reads the whole file, so that a wrong encoding is found and all rows are counted. */
export function previewText(
  source: AsyncIterable<Uint8Array>,
  format: Format,
  encoding?: Encoding,
): Promise<FilePreview> {
  const texts = decode(source, encoding);
  return format === 'csv' ? previewCsv(texts) : previewNdjson(texts);
}

/** A row of the preview with the fields that were chosen, as an import would read it. */
export function toSourceRow({ line, cells, problem }: PreviewRow, fields: Fields, filled?: FilledColumns): SourceRow {
  if (problem) return { line, cells: {}, unreadable: problem };
  const entries = fields.flatMap((field, index) => (field && cells[index] ? [[field, cells[index]]] : []));
  return withFilled({ line, cells: Object.fromEntries(entries) }, filled);
}

async function previewCsv(texts: AsyncIterable<string>): Promise<FilePreview> {
  let columns: string[] | undefined;
  const rows: PreviewRow[] = [];
  const [dates, values] = [new ColumnDates(), new ColumnValues()];
  let total = 0;
  for await (const records of csvRecords(texts)) {
    for (const { line, cells, problem } of records) {
      if (columns) {
        total++;
        dates.see(cells);
        const found = problem ?? problemWithCount(cells, columns.length);
        const read = cells.map(unescapeFormula);
        if (!found) values.see(read);
        if (rows.length < PREVIEW_ROWS) rows.push(toPreviewRow(line, read, found));
      } else if (problem) throw badFile(problem, line);
      else columns = toColumns(cells, line);
    }
  }
  if (!columns) throw badFile(NO_RECORD);
  return { columns, rows, total, ...dates.found(columns.length), values: values.found(columns.length) };
}

/** The columns are the names of all lines, in the order in which they appear. */
async function previewNdjson(texts: AsyncIterable<string>): Promise<FilePreview> {
  const names = new Set<string>();
  const first: { line: number; read: object | string }[] = [];
  const [dates, values] = [new ColumnDates(), new ColumnValues()];
  let total = 0;
  for await (const { line, text } of readLines(texts)) {
    if (text.trim() === '') continue;
    const read = parseLine(text);
    if (typeof read === 'string' && total === 0) throw badFile(read, line);
    if (total++ < PREVIEW_ROWS) first.push({ line, read });
    if (typeof read === 'string') continue;
    for (const name of Object.keys(read)) names.add(name);
    requireFewColumns(names.size);
    const given = new Map<string, unknown>(Object.entries(read));
    const cells = [...names].map((name) => textOf(given.get(name)));
    dates.see(cells);
    values.see(cells);
  }
  if (total === 0) throw badFile(NO_LINE);
  const columns = [...names];
  const rows = first.map(({ line, read }) => {
    if (typeof read === 'string') return toPreviewRow(line, [], read);
    const cells = new Map<string, unknown>(Object.entries(read));
    return toPreviewRow(
      line,
      columns.map((name) => textOf(cells.get(name))),
    );
  });
  return {
    columns: columns.map(shown),
    rows,
    total,
    ...dates.found(columns.length),
    values: values.found(columns.length),
  };
}

/** Finds the forms of the dates in all columns. */
export class ColumnDates {
  readonly #finders: DateFormFinder[] = [];

  see(cells: readonly string[]): void {
    for (const [index, cell] of cells.entries()) {
      this.#finders[index] ??= new DateFormFinder();
      this.#finders[index].see(cell.trim());
    }
  }

  found(columns: number): Pick<FilePreview, 'dates' | 'mixed_dates'> {
    const finders = Array.from({ length: columns }, (_, index) => this.#finders[index] ?? new DateFormFinder());
    return { dates: finders.map((each) => each.found()), mixed_dates: finders.map((each) => each.mixed()) };
  }
}

export function toColumns(header: readonly string[], line: number): string[] {
  if (hasEmail(header)) throw badFile(NO_HEADER, line);
  requireFewColumns(header.length);
  return header.map(shown);
}

export function toPreviewRow(line: number, cells: readonly string[], problem?: string): PreviewRow {
  return problem ? { line, cells: [], problem } : { line, cells: cells.map(shown) };
}

function requireFewColumns(count: number): void {
  if (count <= COLUMNS_MAX) return;
  const message = `The file has more than ${COLUMNS_MAX} columns. Remove those that are not to be imported.`;
  throw new Failure('bad_parameter', message);
}

function textOf(value: unknown): string {
  if (value === undefined || value === null) return '';
  return typeof value === 'string' ? value : JSON.stringify(value);
}

function shown(text: string): string {
  return text.trim().slice(0, CELL_MAX_LENGTH);
}
