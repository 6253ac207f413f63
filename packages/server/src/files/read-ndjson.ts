import { printableName } from '../domain/check-schema.ts';
import type { SourceRow } from '../domain/clients/parse-row.ts';
import { repeatedName } from '../domain/repeated-name.ts';
import { badFile, ColumnNames, unknownColumnMessage } from './columns.ts';
import { excerpt } from './excerpt.ts';

export const NO_LINE = 'the file is empty';

const LINE_MAX_LENGTH = 1024 * 1024;

/** Reads one JSON object per line. Throws before the first row if the first line is not a JSON object. */
export async function* readNdjson(texts: AsyncIterable<string>, names = new ColumnNames()): AsyncGenerator<SourceRow> {
  let first = true;
  for await (const { line, text } of readLines(texts)) {
    if (text.trim() === '') continue;
    const row = toRow(line, text, names);
    if (first && row.unreadable) throw badFile(row.unreadable, line);
    first = false;
    yield row;
  }
  if (first) throw badFile(NO_LINE);
}

function toRow(line: number, text: string, names: ColumnNames): SourceRow {
  const unreadable = (problem: string): SourceRow => ({
    line,
    cells: {},
    unreadable: problem,
    raw: excerpt(text),
    length: text.length,
  });
  const value = parseLine(text);
  if (typeof value === 'string') return unreadable(value);
  const row: SourceRow = { line, cells: {}, length: text.length };
  // All names at first, because their places may count.
  const columns = names.findAll(Object.keys(value));
  for (const [index, [name, cell]] of Object.entries(value).entries()) {
    const column = columns[index];
    if (column === 'ignored' || cell === null) continue;
    if (column === undefined) return unreadable(unknownColumnMessage(name));
    if (typeof cell !== 'string') return unreadable(`${column} must be a string`);
    if (row.cells[column] !== undefined) return unreadable(`${column} is given twice`);
    row.cells[column] = cell;
  }
  return row;
}

/** The object of a line, or why there is none. */
export function parseLine(text: string): object | string {
  if (text.length > LINE_MAX_LENGTH) return `the line is longer than ${LINE_MAX_LENGTH} characters`;
  const value = parse(text);
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return 'the line is not a JSON object';
  const repeated = repeatedName(text, value);
  return repeated === undefined ? value : `${printableName(repeated)} is given twice`;
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** Splits the text into lines. A line that is too long is cut, because its beginning is enough to report it. */
export async function* readLines(texts: AsyncIterable<string>): AsyncGenerator<{ line: number; text: string }> {
  let [line, held] = [1, ''];
  for await (const text of texts) {
    const pieces = text.split('\n');
    for (const [index, piece] of pieces.entries()) {
      if (held.length <= LINE_MAX_LENGTH) held += piece;
      if (index === pieces.length - 1) break;
      yield { line: line++, text: held };
      held = '';
    }
  }
  if (held !== '') yield { line, text: held };
}
