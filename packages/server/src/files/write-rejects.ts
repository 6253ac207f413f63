import { COLUMNS } from '../domain/clients/client-columns.ts';
import type { Rejection } from '../domain/clients/import-clients.ts';
import { REJECT_COLUMNS } from './columns.ts';
import { neutralise } from './formula.ts';
import { csvLine } from './write-clients.ts';

/** Rejected rows as a CSV that can be mended and imported again: the columns of a client, where it stood, and why. */
export function rejectsHead(): string {
  return csvLine([...COLUMNS, ...REJECT_COLUMNS]);
}

export function rejectLine({ row, reason }: Rejection): string {
  const cells = COLUMNS.map((column, index) => row.cells[column] ?? (index === 0 ? row.raw : undefined) ?? '');
  // The reason, too, may begin with what the file said.
  return csvLine([...cells, String(row.line), reason].map(neutralise));
}
