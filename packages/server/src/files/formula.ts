/**
 * What a spreadsheet would run instead of show, also behind quotes that we put there before. Where full-width characters
 * are typed, it takes them for the ordinary ones.
 */
const RUNS_AS_FORMULA = /^'*[=+\-@\t\r＝＋－＠]/;
const NEUTRALISED = /^'+[=+\-@\t\r＝＋－＠]/;

/** A leading apostrophe makes a spreadsheet show the cell as text. */
export function neutralise(cell: string): string {
  return RUNS_AS_FORMULA.test(cell) ? `'${cell}` : cell;
}

/** Undoes it: what was exported comes back as it was. */
export function restore(cell: string): string {
  return NEUTRALISED.test(cell) ? cell.slice(1) : cell;
}
