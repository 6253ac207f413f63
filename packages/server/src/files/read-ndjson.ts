import { printableName } from '../domain/check-schema.ts';
import type { SourceRow } from '../domain/clients/parse-row.ts';
import { repeatedName } from '../domain/repeated-name.ts';
import { badFile, ColumnNames, unknownColumnMessage } from './columns.ts';
import { excerpt } from './excerpt.ts';

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
  if (first) throw badFile('the file is empty');
}

function toRow(line: number, text: string, names: ColumnNames): SourceRow {
  const unreadable = (problem: string): SourceRow => ({
    line,
    cells: {},
    unreadable: problem,
    raw: excerpt(text),
    length: text.length,
  });
  if (text.length > LINE_MAX_LENGTH) return unreadable(`the line is longer than ${LINE_MAX_LENGTH} characters`);
  const value = parse(text);
  if (typeof value !== 'object' || value === null || Array.isArray(value))
    return unreadable('the line is not a JSON object');
  const repeated = repeatedName(text, value);
  if (repeated !== undefined) return unreadable(`${printableName(repeated)} is given twice`);
  const row: SourceRow = { line, cells: {}, length: text.length };
  for (const [name, cell] of Object.entries(value)) {
    const column = names.find(name);
    if (column === 'ignored' || cell === null) continue;
    if (column === undefined) return unreadable(unknownColumnMessage(name));
    if (typeof cell !== 'string') return unreadable(`${column} must be a string`);
    if (row.cells[column] !== undefined) return unreadable(`${column} is given twice`);
    row.cells[column] = cell;
  }
  return row;
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** Splits the text into lines. A line that is too long is cut, because its beginning is enough to report it. */
async function* readLines(texts: AsyncIterable<string>): AsyncGenerator<{ line: number; text: string }> {
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
