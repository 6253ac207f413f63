import { expect, test } from 'vitest';
import { DATE_FORMS, type DateForm, DateFormFinder, parseDate } from './date-form.ts';

const day = (text: string, form: DateForm) => {
  const time = parseDate(text, form);
  return time === undefined ? undefined : new Date(time).toISOString().slice(0, 10);
};

test('a date is read in the form that was chosen', () => {
  for (const text of ['31.01.2026', '31/01/2026', '31-1-2026', '2026-01-31']) {
    expect(day(text, 'day-first')).toBe('2026-01-31');
  }
  for (const text of ['01/31/2026', '1-31-2026', '2026-01-31']) expect(day(text, 'month-first')).toBe('2026-01-31');
  expect([day('02/03/2026', 'day-first'), day('02/03/2026', 'month-first')]).toEqual(['2026-03-02', '2026-02-03']);
});

test.each([
  '31.02.2026',
  '31.01.26',
  '1.1.126',
  '31.01/2026',
  '31.01.2026 09:30',
  '00.01.2026',
  '31.01.1969',
  '31 01 2026',
])('%s is no date in any form', (text) => {
  for (const form of DATE_FORMS) expect(parseDate(text, form)).toBeUndefined();
});

test('dates with dots never have the month first, and only those that begin with the year need no choice', () => {
  expect(parseDate('01.31.2026', 'month-first')).toBeUndefined();
  expect(parseDate('31.01.2026')).toBeUndefined();
});

test.each<[DateForm | null, string[]]>([
  ['iso', ['2026-01-31', '2026-02-01T09:30:00Z']],
  ['iso', ['', 'unknown', '12']],
  ['day-first', ['01.02.2026', '03.04.2026']],
  ['day-first', ['01/02/2026', '2026-01-31', '31/01/2026']],
  ['month-first', ['01/02/2026', '01/31/2026']],
  ['day-first', ['31.02.2026', '01.02.2026', 'unknown']],
  [null, ['01/02/2026', '03/04/2026']],
  [null, ['31/01/2026', '01/31/2026']],
])('the form %s is found in %j', (form, values) => {
  const finder = new DateFormFinder();
  for (const value of values) finder.see(value);
  expect(finder.found()).toBe(form);
});
