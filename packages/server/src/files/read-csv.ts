import type { SourceRow } from '../domain/clients/parse-row.ts';
import { badFile, type ColumnNames, readHeader } from './columns.ts';
import { type CsvRecord, CsvSplitter, LINE_TOO_LONG, RECORD_MAX_LENGTH, type Separator } from './csv-records.ts';
import { excerpt } from './excerpt.ts';
import { unescapeFormula } from './formula.ts';

export const NO_RECORD = 'the file is empty; it must begin with a header';

const SEPARATORS: readonly Separator[] = [',', ';', '\t'];

/** Reads the rows of a CSV file with a header. Throws before the first row if the header cannot be used. */
export async function* readCsv(texts: AsyncIterable<string>, names?: ColumnNames): AsyncGenerator<SourceRow> {
  let columns: ReturnType<typeof readHeader> | undefined;
  for await (const records of csvRecords(texts)) {
    for (const record of records) {
      if (columns) yield withBlankBefore(toRow(record, columns), record);
      else if (record.problem) throw badFile(record.problem, record.line);
      else columns = readHeader(record.cells, names, record.line);
    }
  }
  if (!columns) throw badFile(NO_RECORD);
}

/** The records of a CSV file, the header first, as many at a time as its text has brought. */
export async function* csvRecords(texts: AsyncIterable<string>): AsyncGenerator<Iterable<CsvRecord>> {
  let splitter: CsvSplitter | undefined;
  const beginning = new Beginning();
  const begin = () => new CsvSplitter(separatorOf(beginning.text), beginning.line);
  for await (const text of texts) {
    if (splitter) yield splitter.push(text, false);
    else if (beginning.hasWholeLineWith(text)) {
      splitter = begin();
      yield splitter.push(beginning.text, false);
    }
  }
  yield splitter ? splitter.push('', true) : begin().push(beginning.text, true);
}

/** Collects text until its first line is complete, because the separator is found from that line. Skips empty lines. */
class Beginning {
  text = '';
  /** The number of the line that it begins with. */
  line = 1;

  hasWholeLineWith(piece: string): boolean {
    this.text += piece;
    if (piece.includes('\n')) {
      const start = this.text.search(/\S/);
      const first = this.text.lastIndexOf('\n', start === -1 ? this.text.length : start) + 1;
      this.line += this.text.slice(0, first).split('\n').length - 1;
      this.text = this.text.slice(first);
      if (this.text.includes('\n')) return true;
    }
    if (this.text.length > RECORD_MAX_LENGTH) throw badFile(LINE_TOO_LONG, this.line);
    return false;
  }
}

type Columns = ReturnType<typeof readHeader>;

function toRow({ line, cells, problem, length, separator }: CsvRecord, columns: Columns): SourceRow {
  if (problem) return { line, cells: {}, unreadable: problem, raw: excerpt(cells[0] ?? ''), length };
  const unreadable = problemWithCount(cells, columns.length);
  if (!unreadable) return { line, cells: inColumns(cells, columns), length };
  const rest = cells.slice(columns.length);
  return {
    line,
    // What is missing or too much is mostly at the end, so that the others are where they belong. Whoever corrects the row sees
    // whether they are.
    cells: inColumns(cells, columns),
    unreadable,
    raw: excerpt(cells.join(separator)),
    ...(rest.length > 0 && { surplus: excerpt(rest.join(separator)) }),
    length,
  };
}

function inColumns(cells: readonly string[], columns: Columns): SourceRow['cells'] {
  const row: SourceRow['cells'] = {};
  for (let index = 0; index < columns.length; index++) {
    const column = columns[index];
    const cell = cells[index];
    if (column && cell) row[column] = unescapeFormula(cell);
  }
  return row;
}

function withBlankBefore(row: SourceRow, { blankBefore }: CsvRecord): SourceRow {
  return blankBefore === undefined ? row : { ...row, blankBefore };
}

/** What is wrong with the number of cells of a row, if anything. */
export function problemWithCount(cells: readonly string[], columns: number): string | undefined {
  if (cells.length === columns) return undefined;
  return `the row has ${cells.length === 1 ? '1 cell' : `${cells.length} cells`}, but the header has ${columns}`;
}

/** The separator that splits the header into the most cells. */
function separatorOf(text: string): Separator {
  const header = text.trimStart().split('\n', 1)[0] ?? '';
  const pieces = (separator: Separator) => header.split(separator).length;
  return SEPARATORS.reduce((best, each) => (pieces(each) > pieces(best) ? each : best));
}
