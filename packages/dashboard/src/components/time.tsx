const DATE_TIME = new Intl.DateTimeFormat(undefined, { dateStyle: 'medium', timeStyle: 'short' });
const TO_THE_SECOND = new Intl.DateTimeFormat(undefined, { dateStyle: 'medium', timeStyle: 'medium' });
const DATE = new Intl.DateTimeFormat(undefined, { dateStyle: 'medium' });
const RELATIVE = new Intl.RelativeTimeFormat(undefined, { numeric: 'auto' });

const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;
const DAY_MS = 24 * HOUR_MS;

const FORMAT = { 'date-time': DATE_TIME, 'to-the-second': TO_THE_SECOND, date: DATE };

interface TimeProps {
  value: string;
  as?: 'date-time' | 'to-the-second' | 'date' | 'ago';
}

/** A time in the reader's own zone; hovering tells it in UTC. */
export function Time({ value, as = 'date-time' }: TimeProps) {
  const time = new Date(value);
  const text = as === 'ago' ? ago(time.getTime()) : FORMAT[as].format(time);
  return (
    <time dateTime={value} title={`${value.replace('T', ' ').replace('Z', '')} UTC`} style={{ whiteSpace: 'nowrap' }}>
      {text}
    </time>
  );
}

function ago(time: number): string {
  const passed = Date.now() - time;
  if (passed < MINUTE_MS) return 'just now';
  if (passed < HOUR_MS) return RELATIVE.format(-Math.floor(passed / MINUTE_MS), 'minute');
  if (passed < DAY_MS) return RELATIVE.format(-Math.floor(passed / HOUR_MS), 'hour');
  if (passed < 30 * DAY_MS) return RELATIVE.format(-Math.floor(passed / DAY_MS), 'day');
  return DATE.format(time);
}
