import { parseTime } from '../time.ts';
import { quotedValue } from './quoted-value.ts';
import { timeIn } from './time-zone.ts';

/** How the dates of a file are written. Which of day and month comes first cannot be seen from every date, so it is never guessed. */
export const DATE_FORMS = ['iso', 'day-first', 'month-first'] as const;
export type DateForm = (typeof DATE_FORMS)[number];

/** A year of two digits could be one of two centuries. */
const WRITTEN: Record<Exclude<DateForm, 'iso'>, RegExp> = {
  'day-first': /^(?<day>\d{1,2})([./-])(?<month>\d{1,2})\2(?<year>\d{4})$/,
  'month-first': /^(?<month>\d{1,2})([/-])(?<day>\d{1,2})\2(?<year>\d{4})$/,
};

const EXAMPLES: Record<DateForm, string> = {
  iso: 'a date such as 2026-01-31 or a time such as 2026-01-31T09:30:00Z',
  'day-first': 'a date such as 31.01.2026 or 31/01/2026',
  'month-first': 'a date such as 01/31/2026',
};

/**
 * Reads a date in this form. Dates and times that begin with the year are read in any case, because they can mean only one day.
 * Without an offset, they are those of the time zone, or else UTC. Returns `undefined` for a day that does not exist.
 */
export function parseDate(text: string, form: DateForm = 'iso', timeZone?: string): number | undefined {
  const fromLocal = timeZone === undefined ? undefined : (local: number) => timeIn(timeZone, local);
  const parts = form === 'iso' ? undefined : WRITTEN[form].exec(text)?.groups;
  if (!parts) return parseTime(text, fromLocal);
  const { year = '', month = '', day = '' } = parts;
  return parseTime(`${year}-${month.padStart(2, '0')}-${day.padStart(2, '0')}`, fromLocal);
}

/**
 * What is wrong with a date that cannot be read: that there is no such day, if it is written as it should be, or else how it is
 * written. Among many rows, the date itself says at once which mistake it is.
 */
export function problemWithDate(text: string, form: DateForm = 'iso'): string {
  const isRightOnTheFirst = parseDate(onTheFirst(text, form), form) !== undefined;
  return `must be ${isRightOnTheFirst ? 'a day that exists' : EXAMPLES[form]}, not ${quotedValue(text)}`;
}

/** The same date or time on the first day of its month. */
function onTheFirst(text: string, form: DateForm): string {
  const { year, month } = (form === 'iso' ? undefined : WRITTEN[form].exec(text)?.groups) ?? {};
  return year && month ? `${year}-${month.padStart(2, '0')}-01` : text.replace(/^(\d{4}-\d{2}-)\d{2}/, '$101');
}

/** Finds out from the values of a column in which form its dates are. */
export class DateFormFinder {
  #fitting: readonly DateForm[] = DATE_FORMS;

  see(text: string): void {
    // Most values are no dates, and this is called for every value of a file.
    if (!/^\d+[./-]\d/.test(text)) return;
    const fitting = DATE_FORMS.filter((form) => parseDate(text, form) !== undefined);
    // A day that exists in no form is rejected in any case, and says nothing about the others.
    if (fitting.length > 0) this.#fitting = this.#fitting.filter((form) => fitting.includes(form));
  }

  /** The only form that fits all dates, or null if a person has to choose. */
  found(): DateForm | null {
    if (this.#fitting.includes('iso')) return 'iso';
    return (this.#fitting.length === 1 && this.#fitting[0]) || null;
  }
}
