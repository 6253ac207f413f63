/** One record of a CSV file, or why it could not be read. `line` is where it begins. */
export interface CsvRecord {
  line: number;
  cells: string[];
  problem?: string;
  /** How many characters it takes, its line break included. */
  length: number;
  /** What separates the cells of the file. */
  separator: Separator;
  /** How many rows without anything in them were skipped before it. */
  blankBefore?: number;
}

export type Separator = ',' | ';' | '\t';

/** Longer than any real client, and short enough to hold in memory and to scan more than once. */
export const RECORD_MAX_LENGTH = 1024 * 1024;

export const LINE_TOO_LONG = `the line is longer than ${RECORD_MAX_LENGTH} characters`;
const NOT_CLOSED = 'a quotation mark is opened and not closed';
const CLOSED_TOO_LATE = `${NOT_CLOSED} within ${RECORD_MAX_LENGTH} characters`;

/**
 * Splits text that arrives in chunks into records. It is written by hand because most CSV parsers lose the following rows
 * after a misplaced quotation mark; this one rejects only the line with the mistake and continues with the next.
 */
export class CsvSplitter {
  readonly #separator: Separator;
  readonly #maxLength: number;
  #text = '';
  #line: number;
  #skippingLine = false;
  #blankBefore = 0;
  /** Until there is so much text, a record whose end is missing is not looked at again. */
  #enough = 0;

  constructor(separator: Separator, firstLine: number, maxLength = RECORD_MAX_LENGTH) {
    this.#separator = separator;
    this.#maxLength = maxLength;
    this.#line = firstLine;
  }

  /** Takes the next chunk and yields the records that are now complete. `isLast` marks the end of the text. */
  *push(piece: string, isLast: boolean): Generator<CsvRecord> {
    this.#text = this.#text === '' ? piece : this.#text + piece;
    if (this.#text.length < this.#enough && !isLast) return;
    let start = 0;
    this.#enough = 0;
    while (start < this.#text.length) {
      const end = this.#skippingLine ? this.#endOfLine(start, isLast) : this.#next(start, isLast);
      if (end === undefined) {
        // Twice as much, so that a long record is scanned a few times and not once for each chunk.
        this.#enough = Math.min(2 * (this.#text.length - start), this.#maxLength + 1);
        break;
      }
      if (!this.#skippingLine && end.record) {
        if (isBlank(end.record)) this.#blankBefore++;
        else yield this.#complete(end.record, end.at - start);
      }
      this.#skippingLine = end.skipRest ?? false;
      this.#line += end.lines;
      start = end.at;
    }
    this.#text = this.#text.slice(start);
  }

  #complete(record: SplitRecord, length: number): CsvRecord {
    const separator = this.#separator;
    if (this.#blankBefore === 0) return { ...record, length, separator };
    const blankBefore = this.#blankBefore;
    this.#blankBefore = 0;
    return { ...record, length, separator, blankBefore };
  }

  /** Reads the record at `start`. Returns `undefined` when more text is needed to know where it ends. */
  #next(start: number, isLast: boolean): Step | undefined {
    const newline = this.#text.indexOf('\n', start);
    const lineEnd = newline === -1 ? this.#text.length : newline;
    if (lineEnd - start > this.#maxLength) return this.#tooLong(start);
    if (newline === -1 && !isLast) return undefined;
    const after = newline === -1 ? lineEnd : newline + 1;
    const line = withoutReturn(this.#text.slice(start, lineEnd));
    if (line === '') return { at: after, lines: 1 };
    if (!line.includes('"')) {
      return { at: after, lines: 1, record: { line: this.#line, cells: line.split(this.#separator) } };
    }
    return this.#quoted(start, line, after, isLast);
  }

  #quoted(start: number, firstLine: string, afterFirstLine: number, isLast: boolean): Step | undefined {
    const cells: string[] = [];
    const limit = start + this.#maxLength;
    let [at, lines] = [start, 1];
    const giveUp = (problem: string): Step => ({
      at: afterFirstLine,
      lines: 1,
      record: { line: this.#line, cells: [firstLine], problem },
    });
    for (;;) {
      const cell = this.#text[at] === '"' ? this.#quotedCell(at, limit) : this.#plainCell(at, limit);
      if (cell === 'endless') {
        if (this.#text.length > limit) return giveUp(CLOSED_TOO_LATE);
        return isLast ? giveUp(NOT_CLOSED) : undefined;
      }
      if (cell === 'misplaced') return giveUp('a quotation mark is in the middle of a cell');
      cells.push(cell.value);
      lines += cell.newlines;
      at = cell.at;
      const next = this.#text[at];
      if (next === this.#separator) at++;
      else if (next === undefined && !isLast) return undefined;
      else return { at: at + 1, lines, record: { line: this.#line, cells } };
    }
  }

  #quotedCell(start: number, limit: number): Cell | 'endless' | 'misplaced' {
    let [value, from] = ['', start + 1];
    for (;;) {
      const quote = this.#text.indexOf('"', from);
      if (quote === -1 || quote >= limit) return 'endless';
      value += this.#text.slice(from, quote);
      if (this.#text[quote + 1] === '"') {
        value += '"';
        from = quote + 2;
        continue;
      }
      const at = this.#text[quote + 1] === '\r' ? quote + 2 : quote + 1;
      const next = this.#text[at];
      if (next !== undefined && next !== this.#separator && next !== '\n') return 'misplaced';
      return { value, at, newlines: value.split('\n').length - 1 };
    }
  }

  #plainCell(start: number, limit: number): Cell | 'endless' | 'misplaced' {
    let at = start;
    while (at < this.#text.length && this.#text[at] !== this.#separator && this.#text[at] !== '\n') at++;
    const value = withoutReturn(this.#text.slice(start, Math.min(at, limit)));
    if (value.includes('"')) return 'misplaced';
    return at > limit ? 'endless' : { value, at, newlines: 0 };
  }

  #tooLong(start: number): Step {
    const cells = [this.#text.slice(start, start + 100)];
    return { at: start, lines: 0, record: { line: this.#line, cells, problem: LINE_TOO_LONG }, skipRest: true };
  }

  /** The end of a line that is being skipped. */
  #endOfLine(start: number, isLast: boolean): Step {
    const newline = this.#text.indexOf('\n', start);
    if (newline !== -1) return { at: newline + 1, lines: 1 };
    return { at: this.#text.length, lines: 0, skipRest: !isLast };
  }
}

type SplitRecord = Pick<CsvRecord, 'line' | 'cells' | 'problem'>;

interface Cell {
  value: string;
  /** Where the cell ends: at a separator, a newline or the end of the text. */
  at: number;
  newlines: number;
}

interface Step {
  /** Where the next record begins, and how many lines further down. */
  at: number;
  lines: number;
  record?: SplitRecord;
  skipRest?: boolean;
}

/** Spreadsheets write rows without anything in them as separators alone. They are skipped like blank lines. */
function isBlank({ cells, problem }: SplitRecord): boolean {
  return problem === undefined && cells.every((cell) => cell.trim() === '');
}

function withoutReturn(text: string): string {
  return text.endsWith('\r') ? text.slice(0, -1) : text;
}
