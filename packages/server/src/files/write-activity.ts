import {
  type ActivityRecord,
  type CutRecord,
  RECORD_FIELDS,
  SHOWN_FIELDS,
  type ShownRecord,
} from '../domain/members/index.ts';
import { escapeFormula } from './formula.ts';
import type { Format } from './read-clients.ts';
import { csvLine } from './write-clients.ts';

/** The text before the first entry: a header line in CSV, empty in NDJSON. */
export function activityHeader(format: Format): string {
  return format === 'csv' ? csvLine(RECORD_FIELDS) : '';
}

/** Which some programs take for the end of a line, and JSON allows within a text. */
const LINE_ENDS = /[\u2028\u2029]/g;
const escaped = (character: string) => (character === '\u2028' ? '\\u2028' : '\\u2029');

/** Removed entries are mentioned only in NDJSON, which can be verified. */
export function activityLine(format: Format, record: ActivityRecord | CutRecord): string {
  if (format === 'ndjson') return `${JSON.stringify(record).replace(LINE_ENDS, escaped)}\n`;
  if ('removed_up_to' in record) return '';
  return csvLine(RECORD_FIELDS.map((field) => escapeFormula(String(record[field] ?? ''))));
}

/** In CSV, what the page shows. */
export async function* shownActivity(records: AsyncIterable<ShownRecord>): AsyncGenerator<string> {
  yield csvLine(SHOWN_FIELDS);
  for await (const record of records) {
    yield csvLine(SHOWN_FIELDS.map((field) => escapeFormula(String(record[field] ?? ''))));
  }
}
