import { firstLines } from './first-lines.ts';

/** Which rows of a file do something that a person should look at: it may be a mistake, which the rows alone do not tell. */
export interface CountedRows {
  rows: number;
  /** The first of them. */
  lines: readonly number[];
}

export const NO_ROWS: CountedRows = { rows: 0, lines: [] };

export function withRows(soFar: CountedRows, more: CountedRows): CountedRows {
  return { rows: soFar.rows + more.rows, lines: firstLines(soFar.lines, more.lines) };
}

export function withRow(soFar: CountedRows, line: number): CountedRows {
  return withRows(soFar, { rows: 1, lines: [line] });
}

/** As it is written for callers. */
export function toCountedRowsRecord({ rows, lines }: CountedRows) {
  return { rows, lines: [...lines] };
}
