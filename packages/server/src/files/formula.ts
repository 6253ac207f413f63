/**
 * Text that a spreadsheet would run as a formula, also after apostrophes that an earlier export added. Spreadsheets treat
 * full-width characters like the ordinary ones.
 */
const RUNS_AS_FORMULA = /^'*[=+\-@\t\r＝＋－＠]/;
const NEUTRALISED = /^'+[=+\-@\t\r＝＋－＠]/;

/** A leading apostrophe makes a spreadsheet show the cell as text. */
export function escapeFormula(cell: string): string {
  return RUNS_AS_FORMULA.test(cell) ? `'${cell}` : cell;
}

/** Undoes `escapeFormula`, so that an exported cell is imported unchanged. */
export function unescapeFormula(cell: string): string {
  return NEUTRALISED.test(cell) ? cell.slice(1) : cell;
}
