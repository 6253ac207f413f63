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
 * written, and also if it is no day in whatever form. Among many rows, the date itself says at once which mistake it is.
 */
export function problemWithDate(text: string, form: DateForm = 'iso'): string {
  if (isNoDay(text, form)) return `must be a day that exists, not ${quotedValue(text)}`;
  const isDay = DATE_FORMS.some((other) => parseDate(text, other) !== undefined);
  const isNone = !isDay && DATE_FORMS.some((other) => isNoDay(text, other));
  return `must be ${EXAMPLES[form]}, not ${quotedValue(text)}${isNone ? ', and there is no such day' : ''}`;
}

/** Whether a date is written in this form, but its month has no such day. */
function isNoDay(text: string, form: DateForm): boolean {
  return parseDate(text, form) === undefined && parseDate(onTheFirst(text, form), form) !== undefined;
}

/** The same date or time on the first day of its month. */
function onTheFirst(text: string, form: DateForm): string {
  const { year, month } = (form === 'iso' ? undefined : WRITTEN[form].exec(text)?.groups) ?? {};
  return year && month ? `${year}-${month.padStart(2, '0')}-01` : text.replace(/^(\d{4}-\d{2}-)\d{2}/, '$101');
}

/** Finds out from the values of a column in which form its dates are. */
export class DateFormFinder {
  #fitting: readonly DateForm[] = DATE_FORMS;
  /** The first date of each kind, by the forms that fit it. Of those with the day first, the first one that shows it. */
  readonly #examples = new Map<string, string>();

  see(text: string): void {
    // Most values are no dates, and this is called for every value of a file.
    if (!/^\d+[./-]\d/.test(text)) return;
    const fitting = DATE_FORMS.filter((form) => parseDate(text, form) !== undefined);
    // A day that exists in no form is rejected in any case, and says nothing about the others.
    if (fitting.length === 0) return;
    this.#fitting = this.#fitting.filter((form) => fitting.includes(form));
    const kind = fitting.join();
    const example = this.#examples.get(kind);
    const isClearer = kind === 'day-first' && example !== undefined && !isDayEvident(example) && isDayEvident(text);
    if (example === undefined || isClearer) this.#examples.set(kind, text);
  }

  /** The only form that fits all dates, or null if a person has to choose. */
  found(): DateForm | null {
    if (this.#fitting.includes('iso')) return 'iso';
    return (this.#fitting.length === 1 && this.#fitting[0]) || null;
  }

  /**
   * Two dates that are written in different ways, or null if all are written in the same: one with the day first and one with the month
   * first, of which no form reads both, or else one that begins with the year and one that does not.
   */
  mixed(): string[] | null {
    const [year, day, month, either] = KINDS.map((kind) => this.#examples.get(kind));
    if (day !== undefined && month !== undefined) return [day, month];
    const other = either ?? day ?? month;
    return year !== undefined && other !== undefined ? [year, other] : null;
  }
}

/** Dots say that the day comes first, but only a day after the twelfth shows it to everybody. */
function isDayEvident(dayFirst: string): boolean {
  return Number.parseInt(dayFirst, 10) > MONTHS;
}

const MONTHS = 12;

/** Dates that begin with the year fit all forms, and of the others some fit both that are left. */
const KINDS = ['iso,day-first,month-first', 'day-first', 'month-first', 'day-first,month-first'] as const;
