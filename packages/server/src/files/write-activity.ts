import { type ActivityRecord, RECORD_FIELDS } from '../domain/members/index.ts';
import { escapeFormula } from './formula.ts';
import type { Format } from './read-clients.ts';
import { csvLine } from './write-clients.ts';

/** The text before the first entry: a header line in CSV, empty in NDJSON. */
export function activityHeader(format: Format): string {
  return format === 'csv' ? csvLine(RECORD_FIELDS) : '';
}

export function activityLine(format: Format, record: ActivityRecord): string {
  if (format === 'ndjson') return `${JSON.stringify(record)}\n`;
  return csvLine(RECORD_FIELDS.map((field) => escapeFormula(String(record[field] ?? ''))));
}
