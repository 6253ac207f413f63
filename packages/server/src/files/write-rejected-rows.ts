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
  // The whole row in the first column, alone, is rejected again, unless somebody has looked at it.
  const cells = COLUMNS.map((column, index) => {
    if (row.raw === undefined) return row.cells[column] ?? '';
    return index === 0 ? row.raw : '';
  });
  // The reason is escaped, too, because it may begin with text from the file.
  return csvLine([...cells, String(row.line), reason].map(escapeFormula));
}
