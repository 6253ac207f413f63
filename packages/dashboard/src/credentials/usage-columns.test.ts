import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { callsByDay, callsByHour, callsInDaysBefore } from './usage-columns.ts';

/** One call in every hour, but two in the current one. */
const usage = (lastHourAt: string) => ({
  calls_per_hour: [...Array<number>(719).fill(1), 2],
  last_hour_at: lastHourAt,
});

describe.each(['UTC', 'Europe/Berlin', 'Asia/Kolkata', 'America/St_Johns'])('in the time zone %s', (zone) => {
  let before: string | undefined;
  beforeEach(() => {
    before = process.env.TZ;
    process.env.TZ = zone;
  });
  afterEach(() => {
    if (before === undefined) delete process.env.TZ;
    else process.env.TZ = before;
  });

  test('the current hour is the last of 24', () => {
    const columns = callsByHour(usage('2026-06-15T14:00:00.000Z'), 24);
    expect(columns).toHaveLength(24);
    expect(columns[0]).toEqual({ from: new Date('2026-06-14T15:00:00.000Z'), count: 1 });
    expect(columns.at(-1)).toEqual({ from: new Date('2026-06-15T14:00:00.000Z'), count: 2 });
  });

  test('each day has the hours that began on it, and today is the last of 30', () => {
    const columns = callsByDay(usage('2026-06-15T14:00:00.000Z'), 30);
    expect(columns).toHaveLength(30);
    expect(columns.map(({ from }) => from.getHours() + from.getMinutes())).toEqual(Array(30).fill(0));
    expect(columns.slice(0, -1).map(({ count }) => count)).toEqual(Array(29).fill(24));
    const today = columns.at(-1);
    expect(today?.from.getDate()).toBe(15);
    expect(today?.count).toBe(new Date('2026-06-15T14:00:00.000Z').getHours() + 2);
  });

  test('seven days are compared with the same part of the seven days before', () => {
    const perHour = usage('2026-06-15T14:00:00.000Z');
    const days = callsByDay(perHour, 7);
    const calls = days.reduce((sum, { count }) => sum + count, 0);
    // The current hour has one call more than that of a week ago.
    expect(callsInDaysBefore(perHour, 7)).toBe(calls - 1);
  });
});

test('the day on which the clocks go back has 25 hours', () => {
  const before = process.env.TZ;
  process.env.TZ = 'Europe/Berlin';
  try {
    const columns = callsByDay(usage('2026-10-27T12:00:00.000Z'), 30);
    expect(columns.find(({ from }) => from.getDate() === 25 && from.getMonth() === 9)?.count).toBe(25);
  } finally {
    if (before === undefined) delete process.env.TZ;
    else process.env.TZ = before;
  }
});
