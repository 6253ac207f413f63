import type { Client } from '../domain/clients/client.ts';
import type { Column } from '../domain/clients/client-columns.ts';
import { toRecord } from '../domain/clients/client-record.ts';
import { escapeFormula } from './formula.ts';
import type { Format } from './read-clients.ts';

/** The fields of a client record of the API, in the same order, and the external id. */
const EXPORT_COLUMNS = [
  'reference_id',
  'email',
  'client_name',
  'client_type',
  'group_name',
  'group_token',
  'request_status',
  'client_status',
  'created_at',
  'external_id',
] as const satisfies readonly Column[];

/** The text before the first client: a header line in CSV, empty in NDJSON. */
export function exportHeader(format: Format): string {
  return format === 'csv' ? csvLine(EXPORT_COLUMNS) : '';
}

export function exportLines(format: Format, clients: readonly Client[]): string {
  let text = '';
  for (const client of clients) {
    const cells = toRecord(client);
    text +=
      format === 'csv'
        ? csvLine(EXPORT_COLUMNS.map((column) => escapeFormula(cells[column])))
        : `${JSON.stringify(cells)}\n`;
  }
  return text;
}

export function csvLine(cells: readonly string[]): string {
  return `${cells.map(quoted).join(',')}\n`;
}

function quoted(cell: string): string {
  return /[",;\t\r\n]/.test(cell) ? `"${cell.replaceAll('"', '""')}"` : cell;
}
