import type { SourceRow } from '../domain/clients/parse-row.ts';
import { badFile, type ColumnNames, readHeader } from './columns.ts';
import { type CsvRecord, CsvSplitter, LINE_TOO_LONG, RECORD_MAX_LENGTH, type Separator } from './csv-records.ts';
import { excerpt } from './excerpt.ts';
import { unescapeFormula } from './formula.ts';

const SEPARATORS: readonly Separator[] = [',', ';', '\t'];

/** Reads the rows of a CSV file with a header. Throws before the first row if the header cannot be used. */
export async function* readCsv(texts: AsyncIterable<string>, names?: ColumnNames): AsyncGenerator<SourceRow> {
  let splitter: CsvSplitter | undefined;
  let columns: ReturnType<typeof readHeader> | undefined;
  const beginning = new Beginning();
  const rows = function* (piece: string, isLast: boolean): Generator<SourceRow> {
    splitter ??= new CsvSplitter(separatorOf(piece), beginning.line);
    for (const record of splitter.push(piece, isLast)) {
      if (columns) yield toRow(record, columns);
      else if (record.problem) throw badFile(record.problem, record.line);
      else columns = readHeader(record.cells, names, record.line);
    }
  };
  for await (const text of texts) {
    if (splitter) yield* rows(text, false);
    else if (beginning.hasWholeLineWith(text)) yield* rows(beginning.text, false);
  }
  yield* rows(splitter ? '' : beginning.text, true);
  if (!columns) throw badFile('the file is empty; it must begin with a header');
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

function toRow({ line, cells, problem, length }: CsvRecord, columns: ReturnType<typeof readHeader>): SourceRow {
  if (problem) return { line, cells: {}, unreadable: problem, raw: excerpt(cells[0] ?? ''), length };
  if (cells.length !== columns.length) {
    const found = cells.length === 1 ? '1 cell' : `${cells.length} cells`;
    const unreadable = `the row has ${found}, but the header has ${columns.length}`;
    return { line, cells: {}, unreadable, raw: excerpt(cells.join(',')), length };
  }
  const row: SourceRow = { line, cells: {}, length };
  for (let index = 0; index < columns.length; index++) {
    const column = columns[index];
    const cell = cells[index];
    if (column && cell) row.cells[column] = unescapeFormula(cell);
  }
  return row;
}

/** The separator that splits the header into the most cells. */
function separatorOf(text: string): Separator {
  const header = text.trimStart().split('\n', 1)[0] ?? '';
  const pieces = (separator: Separator) => header.split(separator).length;
  return SEPARATORS.reduce((best, each) => (pieces(each) > pieces(best) ? each : best));
}
