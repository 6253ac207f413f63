const DATE_TIME = new Intl.DateTimeFormat(undefined, { dateStyle: 'medium', timeStyle: 'short' });
const DATE_TIME_SECONDS = new Intl.DateTimeFormat(undefined, { dateStyle: 'medium', timeStyle: 'medium' });
const DATE = new Intl.DateTimeFormat(undefined, { dateStyle: 'medium' });
const RELATIVE = new Intl.RelativeTimeFormat(undefined, { numeric: 'auto' });

const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;
const DAY_MS = 24 * HOUR_MS;

const FORMAT = { 'date-time': DATE_TIME, 'date-time-seconds': DATE_TIME_SECONDS, date: DATE };

interface TimeProps {
  value: string;
  as?: 'date-time' | 'date-time-seconds' | 'date' | 'relative' | 'age';
}

/** A time in the reader's time zone; the tooltip shows it in UTC. */
export function Time({ value, as = 'date-time' }: TimeProps) {
  const time = new Date(value);
  const text = textOf(time, as);
  return (
    <time dateTime={value} title={`${value.replace('T', ' ').replace('Z', '')} UTC`}>
      {text}
    </time>
  );
}

function textOf(time: Date, as: NonNullable<TimeProps['as']>): string {
  if (as === 'relative') return relativeTime(time.getTime());
  if (as === 'age') return durationText(Date.now() - time.getTime());
  return FORMAT[as].format(time);
}

/** Such as `40 minutes`, `26 hours` or `3 days`. */
export function durationText(ms: number): string {
  if (ms < MINUTE_MS) return 'less than a minute';
  if (ms < 2 * HOUR_MS) return unitText(ms / MINUTE_MS, 'minute');
  return ms < 2 * DAY_MS ? unitText(ms / HOUR_MS, 'hour') : unitText(ms / DAY_MS, 'day');
}

function unitText(count: number, unit: 'minute' | 'hour' | 'day'): string {
  return Math.floor(count).toLocaleString(undefined, { style: 'unit', unit, unitDisplay: 'long' });
}

/** A date and a time for places that take only text, such as an option. */
export function dateTimeText(value: string): string {
  return DATE_TIME.format(new Date(value));
}

/** In a sentence: a day if it begins then, as that of a filter does, and else a time. */
export function sinceText(value: string): string {
  return `since ${startsDay(new Date(value)) ? DATE.format(new Date(value)) : dateTimeText(value)}`;
}

/** The same for a time that is not included any more: the day before if a day begins then. */
export function untilText(value: string): string {
  const time = new Date(value);
  if (!startsDay(time)) return `before ${dateTimeText(value)}`;
  time.setDate(time.getDate() - 1);
  return `until ${DATE.format(time)}`;
}

function startsDay(time: Date): boolean {
  return time.getHours() === 0 && time.getMinutes() === 0 && time.getSeconds() === 0 && time.getMilliseconds() === 0;
}

function relativeTime(time: number): string {
  const elapsed = Date.now() - time;
  if (elapsed < MINUTE_MS) return 'just now';
  if (elapsed < HOUR_MS) return RELATIVE.format(-Math.floor(elapsed / MINUTE_MS), 'minute');
  if (elapsed < DAY_MS) return RELATIVE.format(-Math.floor(elapsed / HOUR_MS), 'hour');
  if (elapsed < 30 * DAY_MS) return RELATIVE.format(-Math.floor(elapsed / DAY_MS), 'day');
  return DATE.format(time);
}
