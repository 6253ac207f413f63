import { expect, test } from 'vitest';
import { DATE_FORMS, type DateForm, DateFormFinder, parseDate, problemWithDate } from './date-form.ts';

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

test.each<[string, DateForm]>([
  ['31.02.2026', 'day-first'],
  ['32/1/2026', 'day-first'],
  ['02/30/2026', 'month-first'],
  ['2026-02-29', 'day-first'],
  ['2026-02-30T09:30:00Z', 'iso'],
])('%s is reported as not existing, because it is written as it should be', (text, form) => {
  expect(problemWithDate(text, form)).toBe(`must be a day that exists, not “${text}”`);
});

test.each<[string, DateForm]>([
  ['31.02.26', 'day-first'],
  ['01/31/2026', 'day-first'],
  ['31.01.1969', 'day-first'],
  ['2026-01-31T25:00:00Z', 'iso'],
  ['yesterday', 'iso'],
])('%s is told how a date is written', (text, form) => {
  expect(problemWithDate(text, form)).toMatch(/^must be a date such as/);
  expect(problemWithDate(text, form)).toMatch(new RegExp(`, not “${text}”$`));
});

test.each<[string, DateForm]>([
  ['31.02.2026', 'iso'],
  ['02/30/2026', 'day-first'],
  ['31.02.2026', 'month-first'],
])('%s is told how a date is written, and that there is no such day in whatever form', (text, form) => {
  expect(problemWithDate(text, form)).toMatch(/^must be a date such as .*, and there is no such day$/);
});

test('a date that is no date at all is quoted on one line, and not at full length', () => {
  const problem = problemWithDate(`next\nweek ${'or later '.repeat(20)}`);
  expect(problem).toMatch(/, not “next week (or later )+.*…”$/);
  expect(problem.length).toBeLessThan(160);
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

test.each<[string[] | null, string[]]>([
  [null, ['2026-01-31', '', '2026-02-01T09:30:00Z', 'unknown']],
  [null, ['03.04.2026', '31/01/2026', '01/02/2026']],
  [
    ['2026-04-03', '03/04/2026'],
    ['2026-04-03', '03/04/2026', '2026-05-01'],
  ],
  [
    ['2026-04-03', '31.01.2026'],
    ['31.01.2026', '2026-04-03'],
  ],
  [
    ['31/01/2026', '01/31/2026'],
    ['2026-04-03', '03/04/2026', '01/31/2026', '31/01/2026'],
  ],
  [
    ['31.01.2026', '01/31/2026'],
    ['01.01.2026', '31.01.2026', '30.01.2026', '01/31/2026'],
  ],
  [
    ['01.01.2026', '01/31/2026'],
    ['01.01.2026', '01/31/2026', '02.01.2026'],
  ],
  [null, ['2026-04-03', '31.02.2026']],
])('of the dates written in different ways, %j are found in %j', (mixed, values) => {
  const finder = new DateFormFinder();
  for (const value of values) finder.see(value);
  expect(finder.mixed()).toEqual(mixed);
});

const instant = (text: string, zone: string, form?: DateForm) =>
  new Date(parseDate(text, form, zone) ?? Number.NaN).toISOString();

test.each([
  ['07.04.2026', 'America/New_York', '2026-04-07T04:00:00.000Z'],
  ['07.04.2026', 'Pacific/Auckland', '2026-04-06T12:00:00.000Z'],
  ['07.04.2026', '+05:30', '2026-04-06T18:30:00.000Z'],
  // With an offset, a time is what it is.
  ['2026-04-07T09:30:00Z', 'America/New_York', '2026-04-07T09:30:00.000Z'],
  ['2026-04-07T09:30:00+02:00', 'America/New_York', '2026-04-07T07:30:00.000Z'],
  ['2026-04-07 09:30', 'America/New_York', '2026-04-07T13:30:00.000Z'],
  // The clocks were put forward and back on these days.
  ['2026-03-29T01:59', 'Europe/Zurich', '2026-03-29T00:59:00.000Z'],
  ['2026-03-29T02:30', 'Europe/Zurich', '2026-03-29T01:30:00.000Z'],
  ['2026-03-29T03:00', 'Europe/Zurich', '2026-03-29T01:00:00.000Z'],
  ['2026-10-25T02:30', 'Europe/Zurich', '2026-10-25T00:30:00.000Z'],
  ['2026-10-25T12:00', 'Europe/Zurich', '2026-10-25T11:00:00.000Z'],
  // There was no midnight, and no day.
  ['2018-11-04', 'America/Sao_Paulo', '2018-11-04T03:00:00.000Z'],
  ['2011-12-30', 'Pacific/Apia', '2011-12-30T10:00:00.000Z'],
  // It began before 1970 in UTC.
  ['1970-01-01', 'Europe/Zurich', '1970-01-01T00:00:00.000Z'],
])('%s in %s is %s', (text, zone, expected) => {
  expect(instant(text, zone, 'day-first')).toBe(expected);
});

test('a local time is found as the time zone says, on whatever day and in whatever order it is asked for', () => {
  const zone = 'America/St_Johns';
  const hour = 3_600_000;
  // In this year, the clocks of Newfoundland changed one minute after midnight.
  for (let local = Date.UTC(2010, 0, 1); local < Date.UTC(2011, 0, 1); local += 7 * hour) {
    const text = new Date(local).toISOString().slice(0, 19);
    expect(instant(text, zone), text).toBe(
      new Date(Temporal.PlainDateTime.from(text).toZonedDateTime(zone).epochMilliseconds).toISOString(),
    );
  }
});
