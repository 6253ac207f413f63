import type { KeyDetails } from '#contract/credentials/keys.ts';
import type { Column } from '../components/column-chart.tsx';

type Usage = Pick<KeyDetails, 'calls_per_hour' | 'last_hour_at'>;

const HOUR_MS = 3_600_000;

/** The calls in each of the last hours, the current one last. */
export function callsByHour(usage: Usage, hours: number): Column[] {
  return hoursOf(usage).slice(-hours);
}

/**
 * The calls on each of the last days in the reader's time zone, today last. Where hours begin at another minute than in
 * UTC, an hour belongs to the day on which it began.
 */
export function callsByDay(usage: Usage, days: number): Column[] {
  const last = new Date(usage.last_hour_at);
  const columns = Array.from({ length: days }, (_, index) => ({
    from: new Date(last.getFullYear(), last.getMonth(), last.getDate() - days + 1 + index),
    count: 0,
  }));
  for (const hour of hoursOf(usage)) {
    const day = columns.findLast(({ from }) => from <= hour.from);
    if (day) day.count += hour.count;
  }
  return columns;
}

/** The calls in the same time of the days before these: until now, so that a day that is not over is compared with its part. */
export function callsInDaysBefore(usage: Usage, days: number): number {
  const [first] = callsByDay(usage, days);
  const last = new Date(usage.last_hour_at);
  if (!first) return 0;
  const [from, until] = [first.from, last].map((time) => {
    const earlier = new Date(time);
    earlier.setDate(earlier.getDate() - days);
    return earlier.getTime();
  });
  const within = hoursOf(usage).filter(
    (hour) => hour.from.getTime() >= Number(from) && hour.from.getTime() <= Number(until),
  );
  return within.reduce((sum, { count }) => sum + count, 0);
}

function hoursOf({ calls_per_hour: calls, last_hour_at: lastHourAt }: Usage): Column[] {
  const last = new Date(lastHourAt).getTime();
  return calls.map((count, index) => ({ from: new Date(last - (calls.length - 1 - index) * HOUR_MS), count }));
}
