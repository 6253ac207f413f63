import { formatTime, TIME_MAX } from '../domain/time.ts';

/** A time in the format of the public API. Keys from before times were limited may expire later; they show the latest time. */
export function timeText(time: number): string {
  return formatTime(Math.min(time, TIME_MAX));
}

export function timeTextOrNull(time: number | null): string | null {
  return time === null ? null : timeText(time);
}
