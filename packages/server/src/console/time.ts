import { formatTime, TIME_MAX } from '../domain/time.ts';

/** A time in the format of the public API. A later time than the latest, which only old API keys have, is shown as the latest. */
export function timeText(time: number): string {
  return formatTime(Math.min(time, TIME_MAX));
}

export function timeTextOrNull(time: number | null): string | null {
  return time === null ? null : timeText(time);
}
