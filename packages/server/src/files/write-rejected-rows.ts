import { COLUMNS } from '../domain/clients/client-columns.ts';
import type { Rejection } from '../domain/clients/import-clients.ts';
import { REJECTION_COLUMNS } from './columns.ts';
import { escapeFormula } from './formula.ts';
import { csvLine } from './write-clients.ts';

/** Rejected rows as CSV that can be corrected and imported again: the columns of a client, the line number and the reason. */
export function rejectedRowsHeader(): string {
  return csvLine([...COLUMNS, ...REJECTION_COLUMNS]);
}

export function rejectedRowLine({ row, reason }: Rejection): string {
  const { cells, raw, unreadable } = row;
  const isEntered = raw !== undefined && unreadable === undefined;
  // The whole row in the first column, alone, is rejected again, unless somebody has looked at it.
  const values = COLUMNS.map((column, index) => {
    if (raw === undefined || isEntered) return cells[column] ?? '';
    return index === 0 ? raw : '';
  });
  // Not everything that the row says has to be entered yet.
  const why = isEntered ? `${reason}; the whole row is: ${raw}` : reason;
  // The reason is escaped, too, because it may begin with text from the file.
  return csvLine([...values, String(row.line), why].map(escapeFormula));
}
