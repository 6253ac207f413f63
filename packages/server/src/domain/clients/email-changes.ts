import { firstLines } from './first-lines.ts';

/** Which rows of a file give a client that they recognise by an id another email. It may be the id of somebody else. */
export interface EmailChanges {
  rows: number;
  /** The first of them. */
  lines: readonly number[];
}

export const NO_EMAIL_CHANGES: EmailChanges = { rows: 0, lines: [] };

export function withEmailChanges(soFar: EmailChanges, more: EmailChanges): EmailChanges {
  return { rows: soFar.rows + more.rows, lines: firstLines(soFar.lines, more.lines) };
}

/** As it is written for callers. */
export function toEmailChangesRecord({ rows, lines }: EmailChanges) {
  return { rows, lines: [...lines] };
}
