import { CORRECTED_ROWS_OF } from '#contract/clients/index.ts';

/** What the activity log says that clients were imported from, with the name of the file in quotes. */
export function importedFrom(name: string): string {
  return isCorrection(name) ? `${CORRECTED_ROWS_OF}${quoted(name.slice(CORRECTED_ROWS_OF.length))}` : quoted(name);
}

/** Whether it was rows that had been rejected before. */
export function isCorrection(name: string): boolean {
  return name.startsWith(CORRECTED_ROWS_OF);
}

export function quoted(name: string): string {
  return `“${name}”`;
}
