import { isTime } from '#contract/times.ts';

/** The beginning of a day such as `2026-01-31` in the reader's time zone; a day that cannot be read is left out. */
export function startOfDay(day: string | undefined): number | undefined {
  const time = day === undefined ? Number.NaN : new Date(`${day}T00:00`).getTime();
  return isTime(time) ? time : undefined;
}

/** The day that is so many days after a day such as `2026-01-31`. */
export function nextDay(day: string, days = 1): string {
  return new Date(Date.parse(day) + days * 86_400_000).toISOString().slice(0, 10);
}
