const DAY_MS = 86_400_000;

/** In how many days a key can expire, for those who need no particular day. */
export const LIFETIMES = [
  { value: '30', label: 'In 30 days' },
  { value: '90', label: 'In 90 days' },
  { value: '365', label: 'In a year' },
];

export function inDays(days: number, now = Date.now()): string {
  return new Date(now + days * DAY_MS).toISOString();
}

/** The end of a day such as `2027-01-31` in the reader's time zone. A text that is not a day stays as it is. */
export function endOfDay(day: string): string {
  const [year = Number.NaN, month = Number.NaN, date = Number.NaN] = day.split('-').map(Number);
  const end = new Date(year, month - 1, date, 23, 59, 59, 999);
  return Number.isNaN(end.getTime()) ? day : end.toISOString();
}

/** The day of a time in the reader's time zone, as a date field takes it. */
export function dayOf(time: Date): string {
  return [time.getFullYear(), time.getMonth() + 1, time.getDate()]
    .map((part) => String(part).padStart(2, '0'))
    .join('-');
}
